import type { Flightdeck } from '@flightdeckhq/sdk'
import { UsageError } from '../faults.ts'

type Item = { id: string; name?: string | null }
type Page = { data: Item[]; meta: { next_cursor: string | null } }

/** The id of an object that is given as such, by `ext:` and its external id, or by `name:`. */
export async function idOf(client: Flightdeck, list: string, text: string): Promise<string> {
  const [, kind, wanted = ''] = /^(ext|name):(.+)$/s.exec(text) ?? []
  if (kind === undefined) return text
  const found =
    kind === 'ext'
      ? (await client.request<Page>('GET', list, { query: { external_id: wanted, limit: 2 } })).data
      : await named(client, list, wanted)
  const [only] = found
  if (found.length === 1 && only) return only.id
  const what = kind === 'ext' ? `the external id "${wanted}"` : `the name "${wanted}"`
  if (!only) throw new UsageError(`Nothing has ${what}.`)
  throw new UsageError(`Several have ${what}: ${found.map(({ id }) => id).join(', ')}.`)
}

const most = 20

/** Those whose name it is, letter by letter, else regardless of case. */
async function named(client: Flightdeck, list: string, wanted: string): Promise<Item[]> {
  const found: Item[] = []
  let cursor: string | null = null
  do {
    const query: Record<string, string | number> = {
      limit: 100,
      ...(cursor ? { cursor } : { q: wanted }),
    }
    const page: Page = await client.request<Page>('GET', list, { query })
    found.push(...page.data.filter(({ name }) => same(name, wanted)))
    cursor = page.meta.next_cursor
  } while (cursor && found.length < most)
  const exact = found.filter(({ name }) => name === wanted)
  return exact.length > 0 ? exact : found
}

const same = (name: string | null | undefined, wanted: string) =>
  (name ?? '').toLowerCase() === wanted.toLowerCase()
