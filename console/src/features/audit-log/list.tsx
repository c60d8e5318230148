import { IconShieldCheck } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { choicesOf, nameOf } from '../../data/choices.ts'
import { groupsOf, useEventTypes } from '../../data/events/types.ts'
import { one, queryOf, useScreenState } from '../../data/search.ts'
import type { AuditLog } from '../../flightdeck.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import type { FiltersProps } from '../../ui/lists/filters.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Breaks, Cut, Soft } from '../../ui/values/text.tsx'
import { Time } from '../../ui/values/time.tsx'
import { ExportRecords } from './export-menu.tsx'
import { actorName, Outcome, Resource } from './parts.tsx'
import { auditFilters, auditList } from './queries.ts'
import { RecordDrawer } from './record.tsx'

export default function AuditLogScreen() {
  const [search, setSearch] = useScreenState()
  const opened = one(search.open)
  return (
    <ListScreen
      title="Audit log"
      about="Who changed what, when, and from where. No one can change it afterwards."
      caption="Audit records"
      kind="record"
      actions={
        <>
          <LinkButton to="/audit-log/verify" icon={<IconShieldCheck aria-hidden />}>
            Verify
          </LinkButton>
          <ExportRecords filters={queryOf(search, auditFilters)} />
        </>
      }
      filters={useAuditFilters()}
      query={useInfiniteQuery(auditList(search))}
      columns={columns}
      sort="-sequence"
      noMatch="Change or clear the filters. Records are deleted after their retention."
    >
      {opened && <RecordDrawer id={opened} onClose={() => setSearch({ open: undefined })} />}
    </ListScreen>
  )
}

const resourceTypes = [
  'campaign',
  'change_set',
  'results',
  'profile',
  'template',
  'proxy',
  'webhook_endpoint',
  'user',
  'api_key',
  'organization',
  'session',
  'audit_log',
]

/** Logins, exports and the like are no events; of those the kinds are known. */
const actionsOf = (types: Parameters<typeof groupsOf>[0]): readonly string[] =>
  [
    'auth.*',
    'audit_log.*',
    ...groupsOf(types).map(({ resource }) => `${resource}.*`),
    ...types.map(({ type }) => type),
  ].sort()

const ids = [
  { name: 'actor_id', label: 'Actor id' },
  { name: 'resource_id', label: 'Object id' },
  { name: 'request_id', label: 'Request id' },
]

function useAuditFilters(): FiltersProps {
  const [search] = useScreenState()
  const [wantsMore, setWantsMore] = useState(false)
  const hasMore = wantsMore || ids.some(({ name }) => search[name])
  const actions = actionsOf(useEventTypes())
  return {
    search: 'Search by the object’s name',
    filters: [
      { name: 'outcome', label: 'Outcome', choices: choicesOf('AuditOutcome') },
      {
        name: 'resource_type',
        label: 'Object',
        choices: resourceTypes.map((value) => ({ value, name: nameOf(value) })),
      },
    ],
    texts: [{ name: 'action', label: 'Action', suggestions: actions }, ...(hasMore ? ids : [])],
    times: [
      { name: 'occurred_after', label: 'From' },
      { name: 'occurred_before', label: 'Until' },
    ],
    children: !hasMore && (
      <Button look="quiet" onClick={() => setWantsMore(true)}>
        More filters
      </Button>
    ),
  }
}

const columns: readonly Column<AuditLog>[] = [
  {
    id: 'sequence',
    header: 'No.',
    sort: 'sequence',
    align: 'end',
    minor: true,
    cell: ({ sequence }) => sequence,
  },
  {
    id: 'time',
    header: 'Time',
    fold: true,
    cell: ({ occurred_at }) => <Time time={occurred_at} />,
  },
  { id: 'actor', header: 'Who', minor: true, cell: ({ actor }) => actorName(actor) },
  {
    id: 'action',
    header: 'Action',
    fold: true,
    cell: ({ id, action }) => (
      <Link to="." search={(before: object) => ({ ...before, open: id })}>
        <Breaks text={action} />
      </Link>
    ),
  },
  {
    id: 'resource',
    header: 'Object',
    minor: true,
    cell: ({ resource }) => <Resource resource={resource} />,
  },
  { id: 'outcome', header: 'Outcome', cell: ({ outcome }) => <Outcome outcome={outcome} /> },
  {
    id: 'reason',
    header: 'Reason',
    minor: true,
    grow: true,
    cell: ({ reason }) => (reason ? <Cut text={reason} /> : <Soft>–</Soft>),
  },
  {
    id: 'ip',
    header: 'Address',
    minor: true,
    cell: ({ request }) => request?.ip ?? <Soft>–</Soft>,
  },
]
