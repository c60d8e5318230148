import { UsageError } from '../../faults.ts'
import { made, type Operation } from '../../operations.ts'
import type { Values } from '../read.ts'
import { idFor } from '../references.ts'
import type { Call } from '../run.ts'

export type Row = Values & { id: string }

type Page = { data: Row[]; meta: { next_cursor: string | null } }

/** The list whose filters choose what a command changes; undefined where there is none. */
export function listFor({ method, path, ids, flags }: Operation): Operation | undefined {
  if (method === 'GET' || ids.length !== 1 || 'filter' in flags) return undefined
  const [, collection] = /^(\/[a-z_]+)\/\{\w+\}(?:\/[a-z_]+)*$/.exec(path) ?? []
  return Object.values(made.commands)
    .flatMap((verbs) => Object.values(verbs))
    .find((each) => each.path === collection && each.answer === 'list')
}

/** All objects that meet the filters, each as the list has it. */
export async function matching(call: Call, list: Operation): Promise<Row[]> {
  const query = await withoutNames(call, filtersIn(call.given('filter'), list))
  const found: Row[] = []
  let cursor: string | null = null
  do {
    const asked: Values = { ...query, limit: 100, ...(cursor && { cursor }) }
    const page: Page = await call.client.request<Page>('GET', list.path, { query: asked } as object)
    found.push(...page.data)
    cursor = page.meta.next_cursor
  } while (cursor)
  return found
}

/** The ids that filters such as `profile_id=name:Acme` mean. */
async function withoutNames({ client }: Call, filters: Values): Promise<Values> {
  const all = Object.entries(filters).map(
    async ([name, value]) => [name, await idFor(client, name, String(value))] as const,
  )
  return Object.fromEntries(await Promise.all(all))
}

/** Names that say how a list is shown, and choose nothing. */
const ofPages = new Set(['limit', 'cursor', 'sort', 'fields', 'include_total', 'include'])

function filtersIn(texts: readonly string[], list: Operation): Values {
  const found: Record<string, string> = {}
  for (const text of texts) {
    const [, name = '', value = ''] = /^([\w.]+)=(.+)$/s.exec(text) ?? []
    if (name === '') throw new UsageError(`--filter is such as status=active, not "${text}".`)
    const isKnown = Object.values(list.flags).some((flag) => flag.name === name)
    if (!isKnown || ofPages.has(name)) throw new UsageError(`"${name}" is no filter of the list.`)
    if (name in found) throw new UsageError(`--filter ${name} is given twice; several values: a,b.`)
    found[name] = value
  }
  return found
}
