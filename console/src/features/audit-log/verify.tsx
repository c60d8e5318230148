import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { listKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { flightdeck, type Schema } from '../../flightdeck.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { CheckField } from '../../ui/fields/fields.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Card, Page, Section } from '../../ui/page.tsx'
import { Cut, Mono, Soft } from '../../ui/values/text.tsx'
import { Time } from '../../ui/values/time.tsx'
import styles from './verify.module.css'
import { cannotVerify, type Progress, type Verified, verifyHere } from './verify-here.ts'
import { ServiceResult, VerifiedResult } from './verify-results.tsx'

export default function VerifyScreen() {
  return (
    <Page title="Verify the audit log" within={{ to: '/audit-log', name: 'Audit log' }}>
      <div className={styles.both}>
        <InBrowser />
        <ByService />
      </div>
      <Section title="Checkpoints">
        <p>
          Every hour the service signs the end of the log. Copies kept elsewhere prove later that
          nothing was cut off or rewritten.
        </p>
        <Checkpoints />
      </Section>
    </Page>
  )
}

/** Runs a verification that may take minutes: its state, and a way to stop it. */
function useRun<Result>(work: (signal: AbortSignal) => Promise<Result>) {
  const [state, setState] = useState<{ isBusy: boolean; result?: Result; error?: unknown }>({
    isBusy: false,
  })
  const end = useRef<AbortController>(null)
  useEffect(() => () => end.current?.abort(), [])
  const start = async () => {
    const own = new AbortController()
    end.current = own
    setState({ isBusy: true })
    try {
      const result = await work(own.signal)
      if (!own.signal.aborted) setState({ isBusy: false, result })
    } catch (error) {
      setState(own.signal.aborted ? { isBusy: false } : { isBusy: false, error })
    }
  }
  const stop = () => {
    end.current?.abort()
    setState({ isBusy: false })
  }
  return { ...state, start, stop }
}

function InBrowser() {
  const { organization } = useSession()
  const [progress, setProgress] = useState<Progress | null>(null)
  const run = useRun<Verified>((signal) =>
    verifyHere({ organizationId: organization.id, signal, onProgress: setProgress }),
  )
  return (
    <Section title="In this browser">
      <Card>
        <p>
          Downloads the whole log and computes every hash here, so that you need not trust the
          service. Signatures are checked with the keys that it publishes.
        </p>
        <div className={styles.actions}>
          <Button look="primary" blocked={cannotVerify()} busy={run.isBusy} onClick={run.start}>
            Verify here
          </Button>
          {run.isBusy && <Button onClick={run.stop}>Stop</Button>}
        </div>
        {run.isBusy && progress && <ProgressLine progress={progress} />}
        <div role="status">{run.result && <VerifiedResult result={run.result} />}</div>
        {run.error !== undefined && <ProblemNotice error={run.error} />}
      </Card>
    </Section>
  )
}

const ProgressLine = ({ progress: { checked, total } }: { progress: Progress }) => (
  <div className={styles.progress}>
    <progress aria-label="Records checked" value={checked} max={total} />
    <span>
      {checked.toLocaleString()} of {total.toLocaleString()} records
    </span>
  </div>
)

/** A long log is read for minutes; the service sends a sign of life while it reads. */
const patienceMs = 30 * 60_000

function ByService() {
  const [isShort, setShort] = useState(false)
  const run = useRun((signal) =>
    Promise.resolve(
      flightdeck.auditLogs.verify({ since_checkpoint: isShort }, { signal, timeoutMs: patienceMs }),
    ),
  )
  return (
    <Section title="By the service">
      <Card>
        <p>The service computes every hash itself, and also checks checkpoints of retired keys.</p>
        <CheckField
          label="Only since the newest checkpoint"
          hint="Fast in a log of millions; says nothing about earlier records."
          name="since_checkpoint"
          fault={undefined}
          value={isShort}
          onChange={setShort}
        />
        <div className={styles.actions}>
          <Button busy={run.isBusy} onClick={run.start}>
            Ask the service
          </Button>
          {run.isBusy && <Button onClick={run.stop}>Stop</Button>}
        </div>
        <div role="status">{run.result && <ServiceResult result={run.result} />}</div>
        {run.error !== undefined && <ProblemNotice error={run.error} />}
      </Card>
    </Section>
  )
}

type CheckpointRow = Schema<'AuditCheckpoint'> & { id: string }

const checkpointQuery = listOptions(
  listKey('audit_logs', { checkpoints: true }),
  async (cursor) => {
    const { data, meta } = await flightdeck.auditLogs.listCheckpoints({ cursor, limit: 25 })
    return { data: data.map((each): CheckpointRow => ({ ...each, id: `${each.sequence}` })), meta }
  },
)

const Checkpoints = () => (
  <List
    caption="Checkpoints"
    query={useInfiniteQuery(checkpointQuery)}
    columns={checkpointColumns}
    empty={<Soft>None yet: the first is made within an hour.</Soft>}
  />
)

const checkpointColumns: readonly Column<CheckpointRow>[] = [
  { id: 'sequence', header: 'Up to no.', align: 'end', cell: ({ sequence }) => sequence },
  { id: 'signed', header: 'Signed', cell: ({ signed_at }) => <Time time={signed_at} /> },
  { id: 'hash', header: 'Hash', grow: true, cell: ({ head_hash }) => <Cut text={head_hash} /> },
  { id: 'key', header: 'Key', minor: true, cell: ({ key_id }) => <Mono>{key_id}</Mono> },
]
