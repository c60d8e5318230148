import { IconStethoscope } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { cache } from '../../data/cache.ts'
import { objectKey, partKey } from '../../data/keys.ts'
import { useScreenState } from '../../data/search.ts'
import { flightdeck, type ProxyServer } from '../../flightdeck.ts'
import { useBlocked, useMay } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import type { MenuItem } from '../../ui/layers/menu.tsx'
import { say, sayTrouble } from '../../ui/layers/toast.tsx'
import { DeleteDialog } from '../../ui/objects/delete-dialog.tsx'
import { EditButton, MoreMenu } from '../../ui/objects/object-actions.tsx'
import { ObjectScreen } from '../../ui/objects/object-screen.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Credentials } from './credentials.tsx'
import { Check, Details } from './details.tsx'
import { ProxyForm } from './form.tsx'
import { proxyQuery } from './queries.ts'
import { ProxyStatus } from './status.tsx'
import { Timeline } from './timeline.tsx'
import { Users } from './users.tsx'

export default function ProxyScreen() {
  const { id } = useParams({ from: '/proxies/$id' })
  return (
    <ObjectScreen query={useQuery(proxyQuery(id))}>
      {(proxy) => <ProxyPage key={proxy.id} proxy={proxy} />}
    </ObjectScreen>
  )
}

function ProxyPage({ proxy }: { proxy: ProxyServer }) {
  const [search, setSearch] = useScreenState()
  const mayReadRecords = useMay('listAuditLogs')
  const check = useCheck(proxy)
  const open = (what: string | undefined) => setSearch({ open: what })
  return (
    <Page
      title={proxy.name}
      beside={<ProxyStatus status={proxy.status} />}
      within={{ to: '/proxies', name: 'Proxies' }}
      actions={<Actions proxy={proxy} check={check} open={open} />}
    >
      <Check proxy={proxy} isBusy={check.isBusy} />
      <Details proxy={proxy} />
      <Section title="Credentials">
        <Credentials proxy={proxy} />
      </Section>
      <Section title="Profiles that use it">
        <Users proxyId={proxy.id} />
      </Section>
      {mayReadRecords && (
        <Section title="Timeline">
          <Timeline proxyId={proxy.id} />
        </Section>
      )}
      {search.open === 'edit' && (
        <ProxyForm proxy={proxy} onClose={() => open(undefined)} onDone={() => open(undefined)} />
      )}
      {search.open === 'delete' && <DeleteProxy proxy={proxy} onClose={() => open(undefined)} />}
    </Page>
  )
}

type CheckState = { isBusy: boolean; run: () => void }

/** A check takes up to ten seconds; its result is part of the proxy. */
function useCheck({ id }: ProxyServer): CheckState {
  const [isBusy, setBusy] = useState(false)
  const check = async () => {
    setBusy(true)
    try {
      const checked = await flightdeck.proxies.check(id)
      cache.setQueryData(objectKey('proxies', id), checked)
      void cache.invalidateQueries({ queryKey: partKey('proxies', id, 'records') })
      say(checked.last_check?.ok ? 'The check succeeded' : 'The check failed', {
        tone: checked.last_check?.ok ? 'plain' : 'bad',
        detail: checked.last_check?.error ?? '',
      })
    } catch (error) {
      sayTrouble(error)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, run: () => void check() }
}

type ActionsProps = { proxy: ProxyServer; check: CheckState; open: (what: string) => void }

function Actions({ proxy, check, open }: ActionsProps) {
  const mayCheck = useBlocked('checkProxy')
  const mayDelete = useBlocked('deleteProxy')
  const maySwitch = useBlocked('patchProxy')
  const turn = () =>
    flightdeck.proxies
      .patch(proxy, { enabled: !proxy.enabled })
      .then(
        ({ enabled }) => say(`${proxy.name} is ${enabled ? 'enabled' : 'disabled'}`),
        sayTrouble,
      )
  const items: readonly MenuItem[] = [
    {
      name: proxy.enabled ? 'Disable' : 'Enable',
      blocked: maySwitch,
      run: () => void turn(),
    },
    'line',
    { name: 'Delete…', danger: true, blocked: mayDelete, run: () => open('delete') },
  ]
  return (
    <>
      <Button
        look="primary"
        icon={<IconStethoscope aria-hidden />}
        blocked={mayCheck}
        busy={check.isBusy}
        onClick={check.run}
      >
        {check.isBusy ? 'Checking…' : 'Check now'}
      </Button>
      <EditButton needs="updateProxy" />
      <MoreMenu items={items} />
    </>
  )
}

const DeleteProxy = ({ proxy, onClose }: { proxy: ProxyServer; onClose: () => void }) => (
  <DeleteDialog
    name={proxy.name}
    kind="proxy"
    text="The proxy and its credentials are deleted for good. Profiles that use it must be given another before."
    run={(write) => flightdeck.proxies.delete(proxy, write)}
    list="/proxies"
    onClose={onClose}
  />
)
