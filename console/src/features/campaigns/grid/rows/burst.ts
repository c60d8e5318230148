import type { FlightdeckEvent } from '@flightdeckhq/sdk'
import type { GridRow } from '../columns/column.ts'
import { followsPacing, type GridQuery, sortedFieldOf, sortsByRisk } from '../views/query.ts'

/** Events that came one upon another: they are drawn, and asked for, at once. */
export type Burst = {
  drawn: Map<string, GridRow>
  changed: Set<string>
  created: Set<string>
  /** Campaigns with another pacing. */
  paced: Set<string>
  /** Whether anything else has changed on which delivery depends. */
  isAround: boolean
}

export const newBurst = (): Burst => ({
  drawn: new Map(),
  changed: new Set(),
  created: new Set(),
  paced: new Set(),
  isAround: false,
})

export const deletedBy = ({ type, data }: FlightdeckEvent): string =>
  type === 'campaign.deleted' ? data.object.id : ''

const isOfDeployment = (type: string) => type.startsWith('deployment.')

const around = new Set(['profile', 'proxy', 'organization'])

/** Whether the event may concern the list. */
export function take({ type, data }: FlightdeckEvent, burst: Burst, query: GridQuery): boolean {
  const [resource = '', what] = type.split('.')
  if (type === 'pacing.changed') {
    if (followsPacing(query)) burst.paced.add(data.object.campaign_id)
    return followsPacing(query)
  }
  if (type === 'campaign.performance_changed' || isOfDeployment(type)) {
    burst.changed.add((data.object as { campaign_id: string }).campaign_id)
    return true
  }
  if (around.has(resource)) {
    burst.isAround = true
    return true
  }
  if (resource !== 'campaign' || what === 'deleted') return false
  const object = data.object as GridRow
  burst.drawn.set(object.id, object)
  burst.changed.add(object.id)
  if (what === 'created') burst.created.add(object.id)
  return true
}

/** Ids of rows that are out of their place now, or back in it. */
export type Moves = { out: readonly string[]; back?: readonly string[]; gone?: readonly string[] }

/** The list as it was read. */
type ListRead = {
  grid: { asRead: readonly GridRow[]; isComplete: boolean }
  query: GridQuery
}

type Asked = {
  ids: readonly string[]
  created: ReadonlySet<string>
  paced: ReadonlySet<string>
}

/** Compares the rows that were asked for again with the list. */
export function movesOf(
  { grid, query }: ListRead,
  found: ReadonlyMap<string, GridRow>,
  { ids, created, paced }: Asked,
): Moves {
  const sorted = sortedFieldOf(query)
  const wanted = new Set(ids)
  const before = new Map(grid.asRead.flatMap((row) => (wanted.has(row.id) ? [[row.id, row]] : [])))
  const isOut = (id: string) => {
    const [was, is] = [before.get(id), found.get(id)]
    if (was && is) return was[sorted] !== is[sorted] || (sortsByRisk(query) && paced.has(id))
    if (was) return true
    // A list that was not read to its end does not show what else is new in it.
    return is !== undefined && (created.has(id) || grid.isComplete)
  }
  const out = ids.filter(isOut)
  return { out, back: ids.filter((id) => !out.includes(id)) }
}
