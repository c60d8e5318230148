import { withoutPeople } from '../../identity/agents/hidden-people.ts'
import type { BareContext, Context } from '../../kernel/context.ts'
import { nameFields, withNames } from '../../kernel/people.ts'
import { Problem } from '../../problems/problem.ts'
import { shows } from '../../query/fields.ts'
import type { Query } from '../../query/list.ts'
import { hasKey, memberOf } from '../../values/objects.ts'

/** A reply with the names of the people in it; for agents without people. */
export async function withPeople(asking: Asking, result: unknown): Promise<unknown> {
  const { ctx } = asking
  const named = await namePeople(asking, result)
  return 'agent' in ctx && ctx.agent ? withoutPeople(named, ctx.actor.id) : named
}

/** A refusal as the asker gets it: for agents without people, such as who moved what is stale. */
export function refusalFor(asking: Asking | null, error: unknown): unknown {
  const ctx = asking?.ctx
  if (!(error instanceof Problem) || !ctx || !('agent' in ctx) || !ctx.agent) return error
  const { code, message, headers, cause } = error
  const shown = { members: error.members, faults: error.faults }
  return new Problem(code, message, { ...withoutPeople(shown, ctx.actor.id), headers, cause })
}

/**
 * Names the people in a reply beside their ids: in an object, and in each object of a bulk reply.
 * Lists name them themselves, within the size of a page.
 */
async function namePeople({ ctx, query }: Asking, result: unknown): Promise<unknown> {
  if (!('organization' in ctx) || !isObject(result)) return result
  if (hasKey(result, 'updated_by')) {
    if (!nameFields.some((field) => shows(query, field))) return result
    return (await withNames(ctx, [result]))[0]
  }
  const results = memberOf(result, 'results')
  return Array.isArray(results) ? { ...result, results: await nameEach(ctx, results) } : result
}

type Asking = { ctx: Context | BareContext; query: Query }

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

async function nameEach(ctx: Context, results: readonly unknown[]): Promise<unknown[]> {
  const objects = results.map((each) => memberOf(each, 'object')).filter(isObject)
  const named = (await withNames(ctx, objects)).values()
  return results.map((each) =>
    isObject(each) && isObject(memberOf(each, 'object'))
      ? { ...each, object: named.next().value }
      : each,
  )
}
