import type { Item } from '@flightdeckhq/sdk'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { flightdeck } from '../../flightdeck.ts'
import { Button } from '../../ui/button.tsx'
import { say, sayTrouble } from '../../ui/layers/toast.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Status } from '../../ui/values/status.tsx'
import { Cut, Soft } from '../../ui/values/text.tsx'
import { Age, Time } from '../../ui/values/time.tsx'
import { sessionList } from './queries.ts'

type Session = Item<'listSessions'>

/** The sessions of the user, and a way to end each but this one. */
export const Sessions = () => (
  <List
    caption="Sessions"
    query={useInfiniteQuery(sessionList)}
    columns={columns}
    empty={<Soft>No sessions.</Soft>}
  />
)

function End({ session }: { session: Session }) {
  const client = useQueryClient()
  const end = () =>
    flightdeck.auth.endSession(session.id).then(
      () => {
        say('The session has ended')
        void client.invalidateQueries({ queryKey: ['auth'] })
      },
      (error) => sayTrouble(error),
    )
  return (
    <Button
      small
      aria-label={`End the session of ${session.user_agent ?? 'an unknown program'}`}
      onClick={end}
    >
      End
    </Button>
  )
}

const columns: readonly Column<Session>[] = [
  {
    id: 'program',
    header: 'Program',
    grow: true,
    cell: ({ user_agent }) => (user_agent ? <Cut text={user_agent} /> : <Soft>Unknown</Soft>),
  },
  { id: 'ip', header: 'Address', minor: true, cell: ({ ip }) => ip ?? <Soft>–</Soft> },
  { id: 'opened', header: 'Opened', cell: ({ created_at }) => <Age time={created_at} isReal /> },
  {
    id: 'renewed',
    header: 'Renewed',
    minor: true,
    cell: ({ last_refreshed_at }) => <Age time={last_refreshed_at} isReal />,
  },
  {
    id: 'ends',
    header: 'Ends at the latest',
    minor: true,
    cell: ({ expires_at }) => <Time time={expires_at} />,
  },
  {
    id: 'end',
    header: 'State',
    cell: (session) =>
      session.current ? <Status tone="good">This one</Status> : <End session={session} />,
  },
]
