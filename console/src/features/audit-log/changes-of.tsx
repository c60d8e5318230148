import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { words } from '../../data/words.ts'
import type { AuditLog } from '../../flightdeck.ts'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Cut, Soft } from '../../ui/values/text.tsx'
import { Time } from '../../ui/values/time.tsx'
import { actorName } from './parts.tsx'
import { auditList } from './queries.ts'

type ChangesOfProps = { query: Readonly<Record<string, string>>; empty: string }

/** The history of something that has no versions of its own, as the audit log has it. */
export const ChangesOf = ({ query, empty }: ChangesOfProps) => (
  <List
    caption="History"
    query={useInfiniteQuery(auditList({ ...query, outcome: 'success' }))}
    columns={columns}
    empty={<Soft>{empty}</Soft>}
  />
)

const columns: readonly Column<AuditLog>[] = [
  {
    id: 'time',
    header: 'Time',
    fold: true,
    cell: ({ id, occurred_at }) => (
      <Link to="/audit-log" search={{ open: id }}>
        <Time time={occurred_at} />
      </Link>
    ),
  },
  { id: 'who', header: 'Who', cell: ({ actor }) => actorName(actor) },
  {
    id: 'fields',
    header: 'Changed',
    grow: true,
    cell: ({ changes }) => <Cut text={listOf(changes.map(({ field }) => field))} />,
  },
  { id: 'reason', header: 'Reason', minor: true, cell: ({ reason }) => reason ?? <Soft>–</Soft> },
]

/** `Max daily budget, approval` */
const listOf = (fields: readonly string[]): string =>
  words(fields.map((field) => field.replaceAll('_', ' ')).join(', '))
