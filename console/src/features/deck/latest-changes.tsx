import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Address, ScreenPath } from '../../address.ts'
import { nameOf } from '../../data/choices.ts'
import { eventText } from '../../data/events/words.ts'
import { useOnlyClient } from '../../data/only-client.ts'
import { subjectOf } from '../../data/subject.ts'
import { actorText } from '../../data/values/actor.ts'
import { useMay } from '../../session.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Empty } from '../../ui/lists/empty.tsx'
import { Skeleton } from '../../ui/lists/skeleton.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { ReadFailed } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { ObjectLink } from '../../ui/values/object-link.tsx'
import { Cut } from '../../ui/values/text.tsx'
import { Age } from '../../ui/values/time.tsx'
import {
  type latestEvents,
  latestEventsQuery,
  type latestRecords,
  latestRecordsQuery,
} from './queries.ts'

/** The latest changes: events if the role may read them, else audit records, else nothing. */
export function LatestChanges() {
  const mayEvents = useMay('listEvents')
  const mayRecords = useMay('listAuditLogs')
  if (mayEvents) return <LatestEvents />
  return mayRecords ? <LatestRecords /> : null
}

type LatestChange = {
  id: string
  time: string
  who: string
  what: string
  at: Address
  type: string
  objectId: string | null
  name: string
}

const LatestEvents = () => (
  <Latest answer={useQuery({ ...latestEventsQuery, select: changesOfEvents })} all="/events" />
)

const changesOfEvents = (events: Awaited<ReturnType<typeof latestEvents>>): LatestChange[] =>
  events.map((event) => {
    const { id, type, timestamp, actor } = event
    const subject = subjectOf(event)
    return {
      id,
      time: timestamp,
      who: actorText(actor),
      what: eventText(type),
      at: { to: '/events/$id', params: { id } },
      type: subject.type,
      objectId: type.endsWith('.deleted') ? null : subject.id,
      name: subject.name ?? nameOf(subject.type),
    }
  })

const LatestRecords = () => (
  <Latest answer={useQuery({ ...latestRecordsQuery, select: changesOfRecords })} all="/audit-log" />
)

const changesOfRecords = (records: Awaited<ReturnType<typeof latestRecords>>): LatestChange[] =>
  records.map(({ id, occurred_at, actor, action, resource }) => ({
    id,
    time: occurred_at,
    who: actorText(actor),
    what: eventText(action),
    at: { to: '/audit-log', search: { open: id } },
    type: resource.type,
    objectId: resource.id,
    name: resource.name ?? nameOf(resource.type),
  }))

type LatestProps = { answer: UseQueryResult<LatestChange[]>; all: ScreenPath }

const Latest = ({ answer: { data: changes, error, refetch }, all }: LatestProps) => (
  <Section
    title={useOnlyClient().client_id ? 'Last changes of all clients' : 'Last changes'}
    actions={
      <LinkButton small look="link" to={all}>
        All
      </LinkButton>
    }
  >
    {error && <ReadFailed error={error} retry={() => void refetch()} />}
    {!error && !changes && <Skeleton rows={3} />}
    {changes?.length === 0 && <Empty title="Nothing has been changed yet" />}
    {changes && changes.length > 0 && (
      <Table caption="Last changes" rows={changes} columns={columns} />
    )}
  </Section>
)

const columns: readonly Column<LatestChange>[] = [
  {
    id: 'what',
    header: 'What',
    fold: true,
    cell: ({ what, at }) => <Link {...at}>{what}</Link>,
  },
  {
    id: 'object',
    header: 'Object',
    grow: true,
    cell: ({ type, objectId, name }) =>
      objectId ? (
        <ObjectLink type={type} id={objectId}>
          <Cut text={name} />
        </ObjectLink>
      ) : (
        <Cut text={name} />
      ),
  },
  { id: 'who', header: 'Who', minor: true, cell: ({ who }) => who },
  { id: 'time', header: 'When', cell: ({ time }) => <Age time={time} /> },
]
