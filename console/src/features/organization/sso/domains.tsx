import { useState } from 'react'
import { flightdeck } from '../../../flightdeck.ts'
import { Button } from '../../../ui/button.tsx'
import { say } from '../../../ui/layers/toast.tsx'
import { type Column, Table } from '../../../ui/lists/table.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/page.tsx'
import { Status } from '../../../ui/values/status.tsx'
import { Copy, Soft } from '../../../ui/values/text.tsx'
import { Age } from '../../../ui/values/time.tsx'
import type { Sso } from './values.ts'

type DomainRow = Sso['domain_proofs'][number] & { id: string }
type Check = { domain: string; error: unknown }

/** The domains, with what proves each. */
export function Domains({ sso, onProved }: { sso: Sso; onProved: () => void }) {
  const [busy, setBusy] = useState<string | null>(null)
  const [failed, setFailed] = useState<Check | null>(null)
  const check = async (domain: string) => {
    setBusy(domain)
    setFailed(null)
    try {
      await flightdeck.organization.verifySsoDomain(domain)
      say(`${domain} is proved`)
      onProved()
    } catch (error) {
      setFailed({ domain, error })
    } finally {
      setBusy(null)
    }
  }
  const rows = sso.domain_proofs.map((proof) => ({ ...proof, id: proof.domain }))
  return (
    <Section title="Domains">
      {rows.length === 0 ? (
        <Soft>None yet, so no one can log in by it. Edit the settings to name one.</Soft>
      ) : (
        <>
          <p>
            <Soft>
              A domain counts once its DNS has the TXT record. A new record takes a while to be
              seen.
            </Soft>
          </p>
          {failed && <ProblemNotice error={failed.error} />}
          <Table caption="Domains of single sign-on" rows={rows} columns={columns(check, busy)} />
        </>
      )}
    </Section>
  )
}

const proofs: Readonly<Record<string, string>> = {
  dns: 'Proved by DNS',
  operator: 'Given by the operator',
}

const columns = (
  check: (domain: string) => Promise<void>,
  busy: string | null,
): readonly Column<DomainRow>[] => [
  { id: 'domain', header: 'Domain', cell: ({ domain }) => domain },
  {
    id: 'state',
    header: 'State',
    cell: ({ proved_by }) => (
      <Status tone={proved_by ? 'good' : 'warn'}>
        {proved_by ? (proofs[proved_by] ?? 'Proved') : 'Not proved yet'}
      </Status>
    ),
  },
  {
    id: 'record',
    header: 'TXT record',
    grow: true,
    cell: ({ txt_record }) => <Copy text={txt_record} />,
  },
  {
    id: 'proved',
    header: 'Proved',
    minor: true,
    cell: ({ proved_at }) => <Age time={proved_at} />,
  },
  {
    id: 'check',
    header: 'Check',
    cell: ({ domain, proved_at }) =>
      proved_at === null && (
        <Button
          small
          aria-label={`Check ${domain}`}
          busy={busy === domain}
          onClick={() => void check(domain)}
        >
          Check
        </Button>
      ),
  },
]
