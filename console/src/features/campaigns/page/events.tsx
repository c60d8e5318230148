import { other } from '@flightdeckhq/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { partKey } from '../../../data/keys.ts'
import { listOptions, useRows } from '../../../data/lists.ts'
import { one, useScreenState } from '../../../data/search.ts'
import { actorText } from '../../../data/values/actor.ts'
import { type Campaign, flightdeck, type Schema } from '../../../flightdeck.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { Empty } from '../../../ui/lists/empty.tsx'
import { List } from '../../../ui/lists/list.tsx'
import { Skeleton } from '../../../ui/lists/skeleton.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Json } from '../../../ui/values/json.tsx'
import { Soft } from '../../../ui/values/text.tsx'
import { Time } from '../../../ui/values/time.tsx'

type HistoryChange = Schema<'HistoryEntry'> & { id: string }

/** The events that the campaign has sent: one for each change of it. */
export function Events({ campaign }: { campaign: Campaign }) {
  const [search, setSearch] = useScreenState()
  const query = useInfiniteQuery(changesOf(campaign.id))
  const opened = useRows(query).find(({ id }) => id === one(search.event))
  const open = (event: string | undefined) => setSearch({ event })
  return (
    <>
      <List
        caption="Events of this campaign, newest first"
        query={query}
        columns={[
          { id: 'at', header: 'When', cell: ({ at }) => <Time time={at} exact /> },
          {
            id: 'type',
            header: 'Type',
            grow: true,
            cell: ({ id, action }) => (
              <Button small look="link" onClick={() => open(id)}>
                {action}
              </Button>
            ),
          },
          {
            id: 'actor',
            header: 'By',
            minor: true,
            cell: ({ actor }) => actorText(actor),
          },
        ]}
        empty={<Empty title="No event is recorded any more" />}
      />
      {opened && (
        <Dialog kind="drawer" wide title={opened.action} onClose={() => open(undefined)}>
          <Sent change={opened} campaign={campaign} />
        </Dialog>
      )}
    </>
  )
}

/** Every change sends exactly one event, with the change's name and time. */
const changesOf = (id: string) =>
  listOptions(partKey('campaigns', id, 'changes'), async (cursor) => {
    const { data, meta } = await flightdeck.campaigns.getHistory(id, { cursor, limit: 50 })
    return {
      data: data.map((entry): HistoryChange => ({ ...entry, id: `${entry.version}` })),
      meta,
    }
  })

function Sent({
  change: { action, at },
  campaign: { id },
}: {
  change: HistoryChange
  campaign: Campaign
}) {
  const { data, error, isPending } = useQuery({
    queryKey: partKey('campaigns', id, 'event', { action, at }),
    queryFn: async () => {
      const next = new Date(Date.parse(at) + 1).toISOString()
      const query = { type: other(action), occurred_after: at, occurred_before: next, limit: 100 }
      const events = await flightdeck.events.list(query).toArray({ limit: 1_000 })
      return events.find(({ data }) => idIn(data.object) === id) ?? null
    },
  })
  if (isPending) return <Skeleton rows={8} />
  if (error) return <ProblemNotice error={error} />
  return data ? <Json name="Event" value={data} /> : <Soft>Events are kept for 30 days.</Soft>
}

const idIn = (object: unknown) =>
  typeof object === 'object' && object !== null && 'id' in object ? object.id : undefined
