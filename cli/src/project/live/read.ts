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

async function readAll(client: Flightdeck, kind: Kind, query: Query): Promise<Live[]> {
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

/** As many external ids as a request takes. */
const together = 20
const atOnce = 6

/** The objects that have these external ids, archived ones too. */
export async function readByKey(
  client: Flightdeck,
  kind: Kind,
  keys: readonly string[],
): Promise<Live[]> {
  const parts = Array.from({ length: Math.ceil(keys.length / together) }, (_, at) =>
    keys.slice(at * together, (at + 1) * together),
  )
  const archived = kind === 'campaign' || kind === 'client' ? { include_archived: true } : {}
  const found: Live[] = []
  for (let at = 0; at < parts.length; at += atOnce) {
    const some = parts
      .slice(at, at + atOnce)
      .map((external_id) => readAll(client, kind, { external_id, ...archived }))
    found.push(...(await Promise.all(some)).flat())
  }
  return found
}
