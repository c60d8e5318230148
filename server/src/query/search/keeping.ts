import { setTimeout as rest } from 'node:timers/promises'
import { eachOf } from '../../concurrency/each-of.ts'
import type { Statement } from '../../database/driver/protocol.ts'
import { actAsSystem, type Context, type Services } from '../../kernel/context.ts'

/** Statements that bring an index further, and where it is then; null when nothing is left to do. */
export type IndexStep<State> = { statements: Statement[]; next: State | null }

/** An index of searches that the background keeps, for each organization by a state. */
type KeptIndex<State> = {
  /** Adds the states of organizations that have become large. */
  beginSql: string
  /** Selects the states that are behind, with their organizations. */
  behindSql: string
  step(ctx: Context, state: State): Promise<IndexStep<State>>
}

/** Organizations that have become large are looked for this often, in the heads of all. */
const beginEveryMs = 30_000
/** An index that is made anew leaves half of the time to others. */
const maxRestMs = 100

type Behind<State> = State & { organization_id: string }

/** One round of keeping the index of all organizations. */
export function keeping<State>(index: KeptIndex<State>) {
  const begunAt = new WeakMap<Services, number>()

  async function catchUp(services: Services, behind: Behind<State>, signal: AbortSignal) {
    const ctx = await actAsSystem(services, behind.organization_id, 'Flightdeck')
    let state: State | null = behind
    while (ctx && state && !signal.aborted) {
      const begun = performance.now()
      const { statements, next } = await index.step(ctx, state)
      await write(services, statements)
      state = next
      if (state) await rest(Math.min(performance.now() - begun, maxRestMs))
    }
  }

  return async (services: Services, signal: AbortSignal): Promise<void> => {
    const now = performance.now()
    if (now - (begunAt.get(services) ?? Number.NEGATIVE_INFINITY) > beginEveryMs) {
      begunAt.set(services, now)
      await write(services, [{ sql: index.beginSql, parameters: [] }])
    }
    const statement = { sql: index.behindSql, parameters: [], ofAll: true } as const
    const behind = await services.database.reader.query<Behind<State>>(statement)
    await eachOf(behind, { signal }, (each) => catchUp(services, each, signal))
  }
}

/** An index is no change of what an organization has. */
const write = ({ database }: Services, statements: readonly Statement[]): Promise<void> =>
  database.transaction(async (tx) => {
    for (const statement of statements) tx.send(statement)
  })
