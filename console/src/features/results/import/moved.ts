import { flightdeck } from '../../../flightdeck.ts'

/** A campaign whose pacing is another one now. */
export type Moved = { id: string; name: string; status: string }

/** The place in the events from which on changes count. */
export async function eventsUntilNow(): Promise<number> {
  const { data } = await flightdeck.events.list({ limit: 1, sort: '-sequence' })
  return data[0]?.sequence ?? 0
}

const most = 100

/** Pacing is judged with the report, so that its events are there when it is answered. */
export async function movedSince(sequence: number): Promise<readonly Moved[]> {
  const { data } = await flightdeck.events.list({
    type: ['pacing.changed'],
    limit: most,
    sort: '-sequence',
  })
  const found = data.flatMap((event) => {
    const isNew = (event.sequence ?? 0) > sequence
    return isNew ? movedIn(event.data.object) : []
  })
  return [...new Map(found.map((each) => [each.id, each])).values()]
}

function movedIn(object: object): Moved[] {
  const { campaign_id, name, status } = { campaign_id: 0, name: 0, status: 0, ...object }
  if (typeof campaign_id !== 'string' || typeof status !== 'string') return []
  return [{ id: campaign_id, name: typeof name === 'string' ? name : campaign_id, status }]
}
