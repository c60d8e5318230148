import { type Flightdeck, FlightdeckError } from '@flightdeckhq/sdk'
import { factsOf, type Kind, kinds } from '../kinds.ts'
import { labelOf } from '../ownership.ts'
import { fieldsRead } from './fields.ts'
import { type Live, liveOf, type Row } from './object.ts'

type Page = { data: Row[]; meta: { next_cursor: string | null } }

type Query = Readonly<Record<string, unknown>>

/** Objects of these projects, but for archived campaigns and clients. */
export async function readProjects(
  client: Flightdeck,
  projects: readonly string[],
): Promise<Live[]> {
  const label = projects.map(labelOf)
  const found = await Promise.all(kinds.map((kind) => readAll(client, kind, { label })))
  return found.flat()
}

export async function readAll(client: Flightdeck, kind: Kind, query: Query): Promise<Live[]> {
  const found: Live[] = []
  let cursor: string | null = null
  do {
    const page: Page = await readPage(client, kind, { ...query, ...(cursor && { cursor }) })
    found.push(...page.data.map((row) => liveOf(kind, row)))
    cursor = page.meta.next_cursor
  } while (cursor)
  return found
}

async function readPage(client: Flightdeck, kind: Kind, query: Query): Promise<Page> {
  const { section } = factsOf[kind]
  try {
    return await client.request<Page>('GET', `/${section}`, {
      query: { limit: 100, fields: fieldsRead[kind].join(), ...query },
    })
  } catch (error) {
    // Some who read campaigns do not see proxies; those that they may not see are none of theirs.
    const isUnseen = error instanceof FlightdeckError && error.status === 403 && kind === 'proxy'
    if (isUnseen) return { data: [], meta: { next_cursor: null } }
    throw error
  }
}

/** As many values as a filter takes. */
const together = { external_id: 20, id: 100 }
const atOnce = 6

/** The objects that have these external ids, archived ones too. */
export const readByKey = (client: Flightdeck, kind: Kind, keys: readonly string[]) =>
  readBy(client, kind, { filter: 'external_id', values: keys })

export const readByIds = (client: Flightdeck, kind: Kind, ids: readonly string[]) =>
  readBy(client, kind, { filter: 'id', values: ids })

type Wanted = { filter: 'external_id' | 'id'; values: readonly string[] }

async function readBy(client: Flightdeck, kind: Kind, { filter, values }: Wanted): Promise<Live[]> {
  const most = together[filter]
  const parts = Array.from({ length: Math.ceil(values.length / most) }, (_, at) =>
    values.slice(at * most, (at + 1) * most),
  )
  const archived = kind === 'campaign' || kind === 'client' ? { include_archived: true } : {}
  const found: Live[] = []
  for (let at = 0; at < parts.length; at += atOnce) {
    const some = parts
      .slice(at, at + atOnce)
      .map((part) => readAll(client, kind, { [filter]: part, ...archived }))
    found.push(...(await Promise.all(some)).flat())
  }
  return found
}
