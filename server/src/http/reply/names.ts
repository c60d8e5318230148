import type { BareContext, Context } from '../../kernel/context.ts'
import { nameFields, withNames } from '../../kernel/people.ts'
import { shows } from '../../query/fields.ts'
import type { Query } from '../../query/list.ts'
import { hasKey, memberOf } from '../../values/objects.ts'

/**
 * Names the people in a reply beside their ids: in an object, and in each object of a bulk reply.
 * Lists name them themselves, within the size of a page.
 */
export async function namePeople({ ctx, query }: Asking, result: unknown): Promise<unknown> {
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
