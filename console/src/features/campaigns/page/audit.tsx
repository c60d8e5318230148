import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { actionText } from '../../../data/events/words.ts'
import { one, useScreenState } from '../../../data/search.ts'
import type { AuditLog, Campaign } from '../../../flightdeck.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/lists/empty.tsx'
import { List } from '../../../ui/lists/list.tsx'
import type { Column } from '../../../ui/lists/table.tsx'
import { Cut, Soft } from '../../../ui/values/text.tsx'
import { Time } from '../../../ui/values/time.tsx'
import { actorName, Outcome } from '../../audit-log/parts.tsx'
import { auditList } from '../../audit-log/queries.ts'
import { RecordDrawer } from '../../audit-log/record.tsx'

/** Everything that was done to the campaign, and what was refused. */
export function Audit({ campaign: { id: resource_id } }: { campaign: Campaign }) {
  const [search, setSearch] = useScreenState()
  const opened = one(search.record)
  const open = (record: string | undefined) => setSearch({ record })
  return (
    <>
      <List
        caption="Audit records of this campaign"
        query={useInfiniteQuery(auditList({ resource_id }))}
        columns={[
          {
            id: 'at',
            header: 'When',
            cell: ({ occurred_at }) => <Time time={occurred_at} exact />,
          },
          {
            id: 'action',
            header: 'What',
            cell: ({ id, action }) => (
              <Button small look="link" onClick={() => open(id)}>
                {actionText(action)}
              </Button>
            ),
          },
          ...columns,
        ]}
        empty={<Empty title="No record is kept of it any more" />}
      />
      <p>
        <Link to="/audit-log" search={{ resource_id }}>
          Show these in the audit log
        </Link>
      </p>
      {opened && <RecordDrawer id={opened} onClose={() => open(undefined)} />}
    </>
  )
}

const columns: readonly Column<AuditLog>[] = [
  { id: 'actor', header: 'By', cell: ({ actor }) => actorName(actor) },
  {
    id: 'outcome',
    header: 'Outcome',
    minor: true,
    cell: ({ outcome }) => <Outcome outcome={outcome} />,
  },
  {
    id: 'reason',
    header: 'Reason',
    grow: true,
    minor: true,
    cell: ({ reason }) => (reason ? <Cut text={reason} /> : <Soft>–</Soft>),
  },
]
