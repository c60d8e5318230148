import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import type { Fault } from '../../../problems/fault.ts'
import { type Filter, refused, severalOf } from '../../../query/filters.ts'
import type { Received } from '../../../query/parameters.ts'
import { choice, orNull, text } from '../../../schema/fields.ts'
import { hasKey, keysOf } from '../../../values/objects.ts'

/** The columns by which rows are grouped: the key, and its name. */
const groupings = {
  campaign: { key: 'campaign_id', name: 'campaign_name' },
  profile: { key: 'profile_id', name: 'profile_name' },
  client: { key: 'client', name: 'client' },
  platform: { key: 'platform', name: null },
  label: { key: 'label', name: null },
  currency: { key: 'currency', name: null },
  day: { key: 'date', name: null },
  source: { key: 'source', name: null },
} as const satisfies Record<string, { key: string; name: string | null }>

export type Grouping = keyof typeof groupings

const maxGroupings = 2

/** One or two. */
export type Groupings = readonly [Grouping, Grouping?]

export const groupBy: Filter = {
  ...severalOf(choice(keysOf(groupings)), {
    maxValues: maxGroupings,
    description:
      'One or two; default: campaign. Each group has a row for each currency. A campaign counts for each of its labels.',
    examples: ['client,day'],
  }),
  read: (values, name) => {
    const stranger = values.find((value) => !hasKey(groupings, value))
    if (stranger !== undefined) return refused(name, 'invalid_enum_value', unknown(stranger))
    if (new Set(values).size < values.length) {
      return refused(name, 'duplicate_item', { message: 'names the same grouping twice' })
    }
    return { condition: sql<boolean>`true` }
  },
}

const unknown = (given: string) => ({
  message: 'is not one of the allowed values',
  allowed: keysOf(groupings),
  given: given.slice(0, 80),
})

/** The groupings asked for, by parameters that were checked. */
export function groupingsOf({ group_by = 'campaign' }: Received): Groupings {
  const names = [group_by].flat().flatMap((each) => each.split(','))
  const [first = 'campaign', second] = names.map((each) => each.trim()).filter(isGrouping)
  return second === undefined ? [first] : [first, second]
}

const isGrouping = (name: string): name is Grouping => hasKey(groupings, name)

export const isBy = (by: Groupings, ...any: readonly Grouping[]): boolean =>
  any.some((grouping) => by.includes(grouping))

/** The fault of a parameter that needs groups of campaigns. */
export const onlyByCampaign = (name: string, { group_by }: Received): Fault => ({
  parameter: 'group_by',
  code: 'invalid_enum_value',
  message: `must be campaign where ${name} is set`,
  allowed: ['campaign'],
  given: String(group_by).slice(0, 80),
})

export const GroupKey = Type.Object(
  {
    by: Type.Unsafe<Grouping>(text('The grouping.')),
    key: orNull(text('As `group`.')),
    name: orNull(text('Name, if it has one.')),
  },
  { title: 'ResultGroupKey', description: 'What a row is of.' },
)
type GroupKey = Type.Static<typeof GroupKey>

/** Columns of grouped rows: `key_1`, `name_1`, and of a second grouping `key_2` and `name_2`. */
export type Keys = {
  readonly key_1: string | null
  readonly name_1: string | null
  readonly key_2?: string | null
  readonly name_2?: string | null
}

/** The groupings of a row, in the order in which they were asked for. */
export function groupsOf([first, second]: Groupings, keys: Keys): GroupKey[] {
  const { key_1, name_1, key_2 = null, name_2 = null } = keys
  const groups = [{ by: first, key: key_1, name: name_1 }]
  return second === undefined ? groups : [...groups, { by: second, key: key_2, name: name_2 }]
}

type Sql = RawBuilder<unknown>

/** Each grouping as SQL: what to group by, and its columns. Days are moved by the interval. */
export const columnsBy = (by: Groupings, interval?: string): Sql[] =>
  by.flatMap((grouping, at) => {
    if (grouping === undefined) return []
    const { key, name } = groupings[grouping]
    const isMoved = grouping === 'day' && interval !== undefined
    const column = isMoved ? sql`(date + ${interval}::interval)::date` : sql.ref(key)
    const shown = name === null ? sql`null::text` : sql`max(${sql.ref(name)})`
    const [keyName, nameName] = [sql.ref(`key_${at + 1}`), sql.ref(`name_${at + 1}`)]
    return [sql`${column}::text as ${keyName}, ${shown} as ${nameName}`]
  })

/** The id of a group: its keys, in whose order groups are listed, and the currency. */
export const idOf = (by: Groupings): Sql =>
  by[1] === undefined
    ? sql`(coalesce(key_1, '') || ' ' || currency) collate "C"`
    : sql`(coalesce(key_1, '') || chr(31) || coalesce(key_2, '') || chr(31) || currency) collate "C"`

/** The same of keys at hand. */
export const idOfKeys = (keys: readonly (string | null)[], currency: string): string =>
  [...keys.map((key) => key ?? ''), currency].join(keys.length === 1 ? ' ' : '\u001f')
