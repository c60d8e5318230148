import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useScreenState } from '../../data/search.ts'
import { kinds } from '../../kinds.ts'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Cut, Soft } from '../../ui/values/text.tsx'
import { Age } from '../../ui/values/time.tsx'
import { OrganizationSections } from '../organization/sections.tsx'
import { NewChannel } from './form.tsx'
import { type Channel, channelList } from './queries.ts'
import { ChannelStatus } from './status.tsx'
import { channelKinds, nameOfKind, statuses } from './words.ts'

export default function NotificationChannels() {
  const [search] = useScreenState()
  return (
    <ListScreen
      title="Notification channels"
      about="Chats, mail addresses and programs that are notified what happens."
      kind="channel"
      create={{
        ...kinds.notificationChannels.create,
        name: 'New channel',
        form: ({ onClose }) => <NewChannel onClose={onClose} />,
      }}
      tabs={<OrganizationSections />}
      filters={{
        search: 'Search names',
        filters: [
          { name: 'kind', label: 'Kind', choices: channelKinds },
          { name: 'status', label: 'Status', choices: statuses },
        ],
      }}
      query={useInfiniteQuery(channelList(search))}
      columns={columns}
      empty={{
        title: 'No notification channels yet',
        text: 'A channel notifies a team where it talks: in Slack, Microsoft Teams or Google Chat, by mail, or a program of yours.',
      }}
    />
  )
}

const columns: readonly Column<Channel>[] = [
  {
    id: 'name',
    header: 'Name',
    grow: true,
    sort: 'name',
    cell: ({ id, name }) => (
      <Link to="/organization/notification-channels/$id" params={{ id }}>
        <Cut text={name} />
      </Link>
    ),
  },
  {
    id: 'place',
    header: 'Where',
    cell: ({ kind, target }) => (
      <>
        {nameOfKind(kind)}
        <br />
        <Soft>{target}</Soft>
      </>
    ),
  },
  { id: 'status', header: 'Status', cell: (channel) => <ChannelStatus channel={channel} /> },
  {
    id: 'success',
    header: 'Last success',
    minor: true,
    cell: ({ last_success_at }) => <Age time={last_success_at} />,
  },
  {
    id: 'failure',
    header: 'Last failure',
    minor: true,
    wrap: true,
    cell: ({ last_failure_at, last_error }) => (
      <>
        <Age time={last_failure_at} />
        {last_error && <Soft> {last_error}</Soft>}
      </>
    ),
  },
]
