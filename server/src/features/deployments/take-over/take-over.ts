import { setImmediate } from 'node:timers/promises'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { oneOf } from '../../../kernel/rows.ts'
import { type RunPart, withSavepoints } from '../../../kernel/savepoints.ts'
import { throwIfReplayed } from '../../../kernel/transaction.ts'
import { documentOf } from '../../../problems/document.ts'
import { Problem } from '../../../problems/problem.ts'
import { memberOf } from '../../../values/objects.ts'
import { profileFacts } from '../../campaigns/profile-facts.ts'
import { addExisting } from '../../campaigns/taken-over/taken-over.ts'
import { deploymentRefusals, networkObjectTaken } from '../refusals.ts'
import { existingOf, type Holdings, holdingsOf, rowAt } from './held.ts'
import { addLinked } from './link.ts'
import type { TakenOver, TakeOverInput, TakeOverReply } from './schema.ts'

const perRequest = 10
const maxCost = 10

/** The number of requests that it counts as. Runs on an unchecked body. */
export function costOfTakeOver(body: unknown): number {
  const ids = memberOf(body, 'network_object_ids')
  return Array.isArray(ids) ? Math.min(maxCost, Math.max(1, Math.ceil(ids.length / perRequest))) : 1
}

/** Others of the organization write in between. */
const chunkSize = 50

type TakingOver = { profile: Row<'profiles'>; body: TakeOverInput }

/** Makes a campaign and its deployment of each object; each succeeds or fails alone. */
export async function takeOver(
  ctx: Context,
  profileId: string,
  body: TakeOverInput,
): Promise<TakeOverReply> {
  await throwIfReplayed(ctx)
  const profile = await oneOf(ctx, 'profiles', profileId)
  const { length } = body.network_object_ids
  // A dry run stores nothing that its next part could count.
  const size = ctx.dryRun ? length : chunkSize
  let results: TakenOver[] = []
  for (let from = 0; from < length; from += size) {
    // The last one keeps the reply to all.
    const own = from + size < length ? { ...ctx, idempotency: null } : ctx
    const before = results
    const chunk = { from, to: from + size, before }
    const reply = await takeChunk(own, { profile, body }, chunk)
    results = reply.results
  }
  return { results }
}

type Chunk = { from: number; to: number; before: readonly TakenOver[] }

function takeChunk(
  ctx: Context,
  { profile, body }: TakingOver,
  { from, to, before }: Chunk,
): Promise<TakeOverReply> {
  const ids = body.network_object_ids.slice(from, to)
  return withSavepoints(ctx, {
    refusals: deploymentRefusals,
    readAhead: async ({ stable }) => {
      const [holdings] = await Promise.all([
        holdingsOf(stable, profile.id, ids),
        profileFacts(stable, [profile.id]),
      ])
      return holdings
    },
    work: async (ctx, part, { rows, taken }) => {
      const tools = { profile, body, part, holdings: { rows, taken: new Set(taken) } }
      const results: TakenOver[] = [...before]
      for (const [at, id] of ids.entries()) {
        // Yields to other requests.
        if (at % 10 === 9) await setImmediate()
        results.push(await takeOne(ctx, { index: from + at, id }, tools))
      }
      return { results }
    },
  })
}

type Item = { index: number; id: string }
type Tools = TakingOver & { part: RunPart; holdings: Holdings & { taken: Set<string> } }

async function takeOne(ctx: WriteContext, item: Item, tools: Tools): Promise<TakenOver> {
  const { index, id } = item
  const about = { index, network_object_id: id }
  const dryRun = ctx.dryRun && { object: undefined, warnings: [] }
  try {
    const made = await tools.part({ ...ctx, ifMatch: null, dryRun }, (ctx) =>
      takeHeld(ctx, item, tools),
    )
    tools.holdings.taken.add(id)
    return { ...about, outcome: 'created', ...made }
  } catch (error) {
    if (!(error instanceof Problem) || !isOfItem(error)) throw error
    const place = { instance: ctx.request?.path ?? '/', requestId: ctx.request?.id ?? '' }
    const problem = documentOf(error, place)
    const nothing = { campaign_id: null, deployment_id: null, warnings: [] }
    return { ...about, outcome: 'failed', ...nothing, problem }
  }
}

/** Whether the problem is of one object, not of the service or the whole request. */
const isOfItem = ({ code }: Problem): boolean =>
  code === 'validation_failed' || code === 'network_object_taken' || code === 'limit_exceeded'

async function takeHeld(ctx: WriteContext, { index, id }: Item, tools: Tools) {
  const { profile, body, holdings } = tools
  if (holdings.taken.has(id)) throw networkObjectTaken()
  const held = rowAt(holdings, index, id)
  const existing = await existingOf(ctx, held, { profile, labels: body.labels ?? null })
  const { campaign, warnings } = await addExisting(ctx, existing)
  const deployment = await addLinked(ctx, { campaign, profile, held, terms: body })
  const shown = warnings.map(({ code, message }) => ({ code, message }))
  return { campaign_id: campaign.id, deployment_id: deployment.id, warnings: shown }
}
