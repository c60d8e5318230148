import { LruMap } from 'toad-cache'
import type { Statement } from '../driver/protocol.ts'
import type { Scope } from '../tables/json-columns.ts'
import type { Query } from '../tables/kysely.ts'
import type { ScopeShape } from './conditions.ts'
import { scopeMembers } from './scope.ts'
import { wholeClients } from './shadows.ts'
import { rules } from './tables.ts'

/** The user or API key of an organization that has the scope. */
export type ScopeHolder = {
  readonly organizationId: string
  readonly personId: string | null
  readonly scope: Scope
}

/**
 * Runs statements within a scope: queries of the same names stand before each, so that it reads what
 * the scope shows where it names a table. Statements are written as if there were no scopes.
 */
export const scopedQuery =
  (query: Query, holder: ScopeHolder): Query =>
  (statement) =>
    query(scopedStatement(statement, holder))

type Named = { readonly name: string; readonly sql: string; readonly words: ReadonlySet<string> }

/** The real rows, by which what is seen is judged. */
const everyRow = {
  every_profile: `select organization_id, id, client_id from profiles
    where organization_id = $organization`,
  every_campaign: `select organization_id, id, profile_id from campaigns
    where organization_id = $organization`,
}

/** The word-like parts of a text: a table that it names is among them. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[a-z_]+/g) ?? [])

function queriesOf(shape: ScopeShape): Named[] {
  const shadows = Object.entries(rules).flatMap(([name, rule]) => {
    if (rule === 'open') return []
    const own = { name, sql: rule === 'hidden' ? `select * from ${name} where false` : rule(shape) }
    return name === 'clients' ? [own, { name: 'whole_clients', sql: wholeClients(shape) }] : [own]
  })
  const every = Object.entries(everyRow).map(([name, sql]) => ({ name, sql }))
  return [...every, ...shadows].map((each) => ({ ...each, words: wordsOf(each.sql) }))
}

const queriesByShape = new Map<string, readonly Named[]>()

const keyOf = (scope: Scope): string =>
  scopeMembers.filter((member) => scope[member] !== undefined).join()

function queriesFor(scope: Scope): readonly Named[] {
  const has = (member: keyof Scope) => scope[member] !== undefined
  const key = keyOf(scope)
  const known = queriesByShape.get(key)
  if (known) return known
  const shape = {
    client_ids: has('client_ids'),
    profile_ids: has('profile_ids'),
    labels: has('labels'),
  }
  const made = queriesOf(shape)
  queriesByShape.set(key, made)
  return made
}

/** Queries that the text names, and those that these name, in their order. */
function neededFor(text: string, scope: Scope): Named[] {
  const words = new Set(wordsOf(text))
  const needed: Named[] = []
  for (const each of queriesFor(scope).toReversed()) {
    if (!words.has(each.name)) continue
    needed.push(each)
    for (const word of each.words) words.add(word)
  }
  return needed.toReversed()
}

const types = {
  organization: 'text',
  person: 'text',
  client_ids: 'text[]',
  profile_ids: 'text[]',
  labels: 'text[]',
}

type Parameter = keyof typeof types

function parametersOf({ organizationId, personId, scope }: ScopeHolder): [Parameter, unknown][] {
  const members = scopeMembers.flatMap((member): [Parameter, unknown][] =>
    scope[member] === undefined ? [] : [[member, scope[member]]],
  )
  return [['organization', organizationId], ['person', personId], ...members]
}

/** The text after the first word of a query that has queries of its own; undefined for others. */
function afterWith(sql: string): string | undefined {
  const [first = '', second = ''] = sql.split(/\s+/, 2)
  if (first.toLowerCase() !== 'with' || second.toLowerCase() === 'recursive') return undefined
  return sql.slice(first.length)
}

const isQuery = (sql: string) => sql.startsWith('(') || sql.slice(0, 6).toLowerCase() === 'select'

/** Members of one id, which a kept plan finds as fast as one that is made for it. */
const singlesOf = (scope: Scope): readonly string[] =>
  scopeMembers.filter((member) => scope[member]?.length === 1)

type Scoped = { readonly sql: string; readonly isLimited: boolean }

/** Statements are few; filters of lists make some more. */
const scopedByText = new LruMap<Scoped>(2_000)

function scopedStatement({ byKey: _, ...statement }: Statement, holder: ScopeHolder): Statement {
  const { sql, parameters } = statement
  const key = `${keyOf(holder.scope)} ${singlesOf(holder.scope)} ${parameters.length} ${sql}`
  let scoped = scopedByText.get(key)
  if (!scoped) {
    scoped = scopedText(statement, holder)
    scopedByText.set(key, scoped)
  }
  if (!scoped.isLimited) return statement
  const more = parametersOf(holder).map(([, value]) => value)
  return { ...statement, sql: scoped.sql, parameters: [...parameters, ...more] }
}

function scopedText({ sql: given, parameters }: Statement, holder: ScopeHolder): Scoped {
  const sql = given.trimStart()
  const rest = afterWith(sql)
  if (rest === undefined && !isQuery(sql)) throw new Error('a scope is for queries only')
  const needed = neededFor(sql, holder.scope)
  if (needed.length === 0) return { sql, isLimited: false }
  const more = parametersOf(holder)
  const places = new Map<string, string>(
    more.map(([name], at) => [name, `$${parameters.length + at + 1}`]),
  )
  const singles = singlesOf(holder.scope)
  const placed = (text: string) =>
    text
      .replace(/any\(\$([a-z_]+)\)/g, (all, name) =>
        singles.includes(name) ? `($${name})[1]` : all,
      )
      .replace(/\$([a-z_]+)/g, (whole, name) => places.get(name) ?? whole)
  // Names all parameters, as PostgreSQL wants to know the types of those that nothing else names.
  const declared = more.map(([name]) => `$${name}::${types[name]} as ${name}`).join(', ')
  const queries = [
    `scope_of as (select ${placed(declared)})`,
    ...needed.map((each) => `${each.name} as not materialized (${placed(each.sql)})`),
  ].join(',\n')
  const text = rest === undefined ? `with ${queries} ${sql}` : `with ${queries}, ${rest}`
  return { sql: text, isLimited: true }
}
