import { readConfig } from '../config/config.ts'
import { environment } from '../config/environment.ts'
import { openDatabase, type Reader } from '../database/database.ts'
import { migrate } from '../database/upkeep/migrate.ts'
import { type Given, UsageError } from './command.ts'
import { onDatabase } from './on-database.ts'
import { readOrganizationId } from './read.ts'
import { readAll } from './read-all.ts'

const defaultLimit = 100
const maxLimit = 1_000

/** Filters and page of a list of all organizations. */
export type ListRequest<Role> = {
  org: string | null
  role: Role | null
  limit: number
  /** The id of the last row of the page before. */
  after: string | null
}

export type Page<Item> = {
  items: Item[]
  /** For `--after`; null at the end. */
  next: string | null
}

export const readAsked = <Role>(
  { option }: Given,
  readRole: (text: string) => Role,
): ListRequest<Role> => {
  const given = <Value>(name: string, read: (text: string) => Value): Value | null => {
    const text = option(name)
    return text === undefined ? null : read(text)
  }
  return readAll<ListRequest<Role>>({
    org: () => given('org', readOrganizationId),
    role: () => given('role', readRole),
    limit: () => given('limit', readLimit) ?? defaultLimit,
    after: () => given('after', (text) => text),
  })
}

function readLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= maxLimit) return limit
  throw new UsageError(`"${text}" is not a limit: use 1 to ${maxLimit}.`)
}

/** One page in the order of organizations and ids; `read` is asked for one row more than shown. */
export async function pageOf<Item extends { id: string }>(
  reader: Reader,
  { sql, asked }: { sql: string; asked: ListRequest<string> },
): Promise<Page<Item>> {
  const { org, role, limit, after } = asked
  const found = await reader.query<Item>({ sql, parameters: [org, role, after, limit + 1] })
  const items = found.slice(0, limit)
  return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null }
}

/** Reads without the service's caches and keys. */
export const reading = <T>(name: string, work: (reader: Reader) => Promise<T>): Promise<T> =>
  onDatabase(readConfig(environment()), { name }, async (address) => {
    await migrate(address)
    const database = openDatabase(address)
    try {
      return await work(database.reader)
    } finally {
      await database.close()
    }
  })

export const more = (next: string | null): string =>
  next === null ? '' : `\n\nThere are more: --after ${next}`
