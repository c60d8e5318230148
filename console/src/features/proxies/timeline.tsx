import { useInfiniteQuery } from '@tanstack/react-query'
import { actorText } from '../../data/values/actor.ts'
import type { Schema } from '../../flightdeck.ts'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Soft } from '../../ui/values/text.tsx'
import { Time } from '../../ui/values/time.tsx'
import { recordsOf } from './queries.ts'
import { ProxyStatus } from './status.tsx'

type AuditRecord = Schema<'AuditLog'>

/** Acts on a proxy, and changes that its checks made, newest first. */
export const Timeline = ({ proxyId }: { proxyId: string }) => (
  <List
    caption="Timeline"
    query={useInfiniteQuery(recordsOf(proxyId))}
    columns={columns}
    empty={<Soft>Nothing is recorded yet.</Soft>}
  />
)

const actions: Readonly<Record<string, string>> = {
  'proxy.created': 'Created',
  'proxy.updated': 'Changed',
  'proxy.checked': 'Checked, status unchanged',
  'proxy.health_changed': 'Checked',
  'proxy.credentials_revealed': 'Credentials revealed',
}

/** The status that a record changed it to. */
const statusAfter = ({ changes }: AuditRecord): string | null => {
  const change = changes?.find(({ field }) => field === 'status')
  return typeof change?.after === 'string' ? change.after : null
}

const columns: readonly Column<AuditRecord>[] = [
  { id: 'at', header: 'Time', cell: ({ occurred_at }) => <Time time={occurred_at} /> },
  {
    id: 'action',
    header: 'What',
    cell: ({ action, outcome }) => (
      <>
        {actions[action] ?? action}
        {outcome !== 'success' && <Soft> (refused)</Soft>}
      </>
    ),
  },
  {
    id: 'status',
    header: 'Status since',
    cell: (record) => {
      const status = statusAfter(record)
      return status === null ? <Soft>–</Soft> : <ProxyStatus status={status} />
    },
  },
  { id: 'by', header: 'By', minor: true, grow: true, cell: ({ actor }) => actorText(actor) },
]
