import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { eventText } from '../../data/events/words.ts'
import { one, type Search, useScreenState } from '../../data/search.ts'
import { actorText } from '../../data/values/actor.ts'
import { useConnection } from '../../live.ts'
import { Button } from '../../ui/button.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Status } from '../../ui/values/status.tsx'
import { Breaks, Cut } from '../../ui/values/text.tsx'
import { Time } from '../../ui/values/time.tsx'
import { EventDrawer } from './event.tsx'
import { useFeed } from './feed.ts'
import type { Event } from './queries.ts'
import { Sections } from './sections.tsx'
import { Subject } from './subject.tsx'
import { TypeFilter } from './type-filter.tsx'

export default function Events() {
  const [search, setSearch] = useScreenState()
  const feed = useFeed(search)
  const open = one(search.open)
  return (
    <ListScreen
      title="Events"
      beside={<Flow isPaused={feed.isPaused} waiting={feed.waiting} />}
      about="Everything that happens in your organization, as it happens; kept for 30 days."
      kind="event"
      actions={
        feed.isPaused ? (
          <Button icon={<IconPlayerPlay aria-hidden />} onClick={feed.resume}>
            Resume
          </Button>
        ) : (
          <Button icon={<IconPlayerPause aria-hidden />} onClick={feed.pause}>
            Pause
          </Button>
        )
      }
      tabs={<Sections />}
      filters={filters}
      query={feed.query}
      rows={feed.rows}
      columns={columns}
      noMatch="Change or clear the filters, or wait for one."
      empty={{
        title: 'Nothing has happened yet',
        text: 'Whatever is created or changed appears here by itself.',
      }}
    >
      {open && <EventDrawer id={open} onClose={() => setSearch({ open: undefined })} />}
    </ListScreen>
  )
}

const filters = {
  times: [
    { name: 'occurred_after', label: 'From' },
    { name: 'occurred_before', label: 'Until' },
  ],
  others: ['type'],
  children: <TypeFilter />,
}

/** Whether what one sees is the present. */
function Flow({ isPaused, waiting }: { isPaused: boolean; waiting: number }) {
  const connection = useConnection()
  const paused = waiting === 0 ? 'Paused' : `Paused, ${waiting} new`
  return (
    <span role="status">
      {isPaused ? (
        <Status tone="warn">{paused}</Status>
      ) : connection === 'live' ? (
        <Status tone="good">Live</Status>
      ) : (
        <Status tone="neutral">Not connected</Status>
      )}
    </span>
  )
}

const columns: readonly Column<Event>[] = [
  {
    id: 'type',
    header: 'Event',
    fold: true,
    cell: ({ id, type }) => (
      <Link to="." search={(before: Search) => ({ ...before, open: id })} resetScroll={false}>
        <Breaks text={type} />
      </Link>
    ),
  },
  {
    id: 'words',
    header: 'What happened',
    minor: true,
    cell: ({ type }) => eventText(type),
  },
  { id: 'subject', header: 'About', grow: true, cell: (event) => <Subject event={event} /> },
  {
    id: 'time',
    header: 'Time',
    fold: true,
    cell: ({ timestamp }) => <Time time={timestamp} exact />,
  },
  { id: 'actor', header: 'By', minor: true, cell: ({ actor }) => <Cut text={actorText(actor)} /> },
  {
    id: 'sequence',
    header: 'Number',
    align: 'end',
    minor: true,
    cell: ({ sequence }) => sequence,
  },
]
