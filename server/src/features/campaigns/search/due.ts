import { setTimeout as rest } from 'node:timers/promises'
import type { Statement } from '../../../database/driver/protocol.ts'
import type { SingletonTask } from '../../../jobs/job.ts'
import { actAsSystem, type Services } from '../../../kernel/context.ts'
import { isLargeSql } from '../../../limits/large-lists.ts'
import { build, follow, type SearchState } from './keep.ts'

/** Keeps the index of searches of organizations with many campaigns up to date. */
export const dueSearch: SingletonTask = {
  name: 'campaigns.search',
  everyMs: 500,
  // Nothing is late: what the index lacks is found beside it.
  work: [],
  run: keepSearch,
}

/** Organizations that have become large are looked for this often, in the heads of all. */
const beginEveryMs = 30_000
const begunAt = new WeakMap<Services, number>()
/** An index that is made anew leaves half of the time to others. */
const maxRestMs = 100

const beginSql = `
  insert into campaign_search_states (organization_id, through, built_to)
  select h.organization_id, h.event_sequence, '' from organization_heads h
  where ${isLargeSql('h', 'campaigns')} and not exists (
    select from campaign_search_states s where s.organization_id = h.organization_id)
  on conflict do nothing`

const behindSql = `
  select s.organization_id, s.through, s.built_to from campaign_search_states s
  join organization_heads h on h.organization_id = s.organization_id
  where s.built_to is not null or s.through < h.event_sequence`

type Behind = SearchState & { organization_id: string }

export async function keepSearch(services: Services, signal: AbortSignal): Promise<void> {
  const now = performance.now()
  if (now - (begunAt.get(services) ?? Number.NEGATIVE_INFINITY) > beginEveryMs) {
    await write(services, [{ sql: beginSql, parameters: [] }])
    begunAt.set(services, now)
  }
  const behind = await services.database.reader.query<Behind>({ sql: behindSql, parameters: [] })
  const faults: unknown[] = []
  for (const each of behind) {
    await catchUp(services, each, signal).catch((fault: unknown) => faults.push(fault))
  }
  // One that fails does not hold up the others.
  if (faults.length > 0) throw faults[0]
}

async function catchUp(services: Services, behind: Behind, signal: AbortSignal): Promise<void> {
  const ctx = await actAsSystem(services, behind.organization_id, 'Flightdeck')
  let state: SearchState | null = behind
  while (ctx && state && !signal.aborted) {
    const begun = performance.now()
    const { statements, next } = await (state.built_to === null ? follow : build)(ctx, state)
    await write(services, statements)
    state = next
    if (state) await rest(Math.min(performance.now() - begun, maxRestMs))
  }
}

/** An index is no change of what an organization has. */
const write = ({ database }: Services, statements: readonly Statement[]): Promise<void> =>
  database.transaction(async (tx) => {
    for (const statement of statements) tx.send(statement)
  })
