import { IconCheck, IconChecks, IconSettings } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useScreenState } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'
import { Button, IconButton, LinkButton } from '../../ui/button.tsx'
import { say, sayTrouble } from '../../ui/layers/toast.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Age } from '../../ui/values/time.tsx'
import { categories, nameOfCategory } from './categories.ts'
import { NotificationText } from './notification.tsx'
import { markRead, type Notification, notificationList, unreadQuery } from './queries.ts'

/** Shows what others did that concerns the one who is logged in. */
export default function Inbox() {
  const [search] = useScreenState()
  return (
    <ListScreen
      title="Inbox"
      about="What others did that concerns you, in the last 90 days."
      caption="Notifications"
      kind="notification"
      actions={
        <>
          <LinkButton
            to="/account"
            search={{ open: 'notifications' }}
            icon={<IconSettings aria-hidden />}
          >
            Settings
          </LinkButton>
          <ReadAll />
        </>
      }
      filters={{
        filters: [
          { name: 'unread', label: 'State', choices: states },
          { name: 'category', label: 'About', choices: categories },
        ],
      }}
      query={useInfiniteQuery(notificationList(search))}
      columns={columns}
      empty={{
        title: 'Nothing yet',
        text: 'What waits for your approval, what became of your change sets, and what goes wrong comes here by itself.',
      }}
    />
  )
}

const states = [
  { value: 'true', name: 'Unread' },
  { value: 'false', name: 'Read' },
]

function ReadAll() {
  const { data: unread } = useQuery(unreadQuery)
  const readAll = () =>
    flightdeck.notifications.readAll().then(() => say('All are marked as read'), sayTrouble)
  return (
    <Button
      icon={<IconChecks aria-hidden />}
      blocked={unread === 0 ? 'Nothing is unread.' : null}
      onClick={() => void readAll()}
    >
      Mark all read
    </Button>
  )
}

const Read = ({ notification }: { notification: Notification }) =>
  notification.read_at === null && (
    <IconButton
      small
      name={`Mark as read: ${notification.title}`}
      icon={<IconCheck aria-hidden />}
      onClick={() => markRead(notification)}
    />
  )

const columns: readonly Column<Notification>[] = [
  {
    id: 'notification',
    header: 'Notification',
    grow: true,
    wrap: true,
    cell: (notification) => <NotificationText notification={notification} />,
  },
  {
    id: 'category',
    header: 'About',
    minor: true,
    cell: ({ category }) => nameOfCategory(category),
  },
  { id: 'when', header: 'When', cell: ({ updated_at }) => <Age time={updated_at} /> },
  {
    id: 'read',
    header: 'Read',
    cell: (notification) => <Read notification={notification} />,
  },
]
