/** Reads a migrated database's catalogue: the source of schema.sql and types.ts. */
import pg from 'pg'
import type { DatabaseAddress } from '../../server/src/database/address.ts'
import { jsonTypeNames, jsonTypes } from './json-types.ts'

export type Column = {
  relation: string
  isView: boolean
  name: string
  type: string
  notNull: boolean
  defaultText: string | null
  isGenerated: boolean
}

export type Catalogue = {
  columns: Column[]
  constraints: { relation: string; name: string; definition: string }[]
  indexes: string[]
  partitionings: { relation: string; key: string }[]
  unlogged: string[]
  functions: string[]
  triggers: string[]
  views: { name: string; definition: string }[]
}

const columnsSql = `
  select c.relname as relation, c.relkind = 'v' as "isView", a.attname as name,
    format_type(a.atttypid, a.atttypmod)
      || case when co.collname = 'C' and t.typcollation <> a.attcollation
         then ' collate "C"' else '' end as type,
    a.attnotnull as "notNull", pg_get_expr(d.adbin, d.adrelid) as "defaultText",
    a.attgenerated <> '' as "isGenerated"
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'v', 'p')
  join pg_type t on t.oid = a.atttypid
  left join pg_collation co on co.oid = a.attcollation
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
    and c.relname <> 'migrations' and not c.relispartition
  order by c.relname, a.attnum`

const constraintsSql = `
  select c.relname as relation, o.conname as name, pg_get_constraintdef(o.oid) as definition
  from pg_constraint o join pg_class c on c.oid = o.conrelid
  where o.connamespace = 'public'::regnamespace and c.relname <> 'migrations' and o.contype <> 'n'
    and not c.relispartition
  order by c.relname, o.contype = 'p' desc, o.conname`

const indexesSql = `
  select replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as line
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = 'public'::regnamespace and not c.relispartition
    and not exists (select from pg_constraint o where o.conindid = i.indexrelid)
  order by c.relname`

/** Partitions come and go; the schema records their parent tables only. */
const partitioningsSql = `
  select c.relname as relation, pg_get_partkeydef(c.oid) as key
  from pg_class c where c.relkind = 'p' and c.relnamespace = 'public'::regnamespace`

const unloggedSql = `
  select relname as line from pg_class
  where relkind = 'r' and relpersistence = 'u' and relnamespace = 'public'::regnamespace`

const functionsSql = `
  select pg_get_functiondef(oid) as line from pg_proc
  where pronamespace = 'public'::regnamespace order by proname`

const triggersSql = `
  select pg_get_triggerdef(t.oid) as line
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where not t.tgisinternal and c.relnamespace = 'public'::regnamespace and not c.relispartition
  order by t.tgname`

const viewsSql = `
  select relname as name, pg_get_viewdef(oid, true) as definition
  from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace order by relname`

export async function readCatalogue(address: DatabaseAddress): Promise<Catalogue> {
  const client = new pg.Client(address)
  await client.connect()
  const rowsOf = async (sql: string) => (await client.query(sql)).rows
  const linesOf = async (sql: string) => (await rowsOf(sql)).map((row) => row.line as string)
  try {
    return {
      columns: await rowsOf(columnsSql),
      constraints: await rowsOf(constraintsSql),
      indexes: await linesOf(indexesSql),
      partitionings: await rowsOf(partitioningsSql),
      unlogged: await linesOf(unloggedSql),
      functions: await linesOf(functionsSql),
      triggers: await linesOf(triggersSql),
      views: await rowsOf(viewsSql),
    }
  } finally {
    await client.end()
  }
}

const relationsOf = (columns: Column[]): Map<string, Column[]> =>
  Map.groupBy(columns, (column) => column.relation)

/** The schema as text, the same on every supported version of PostgreSQL. */
export function schemaText(catalogue: Catalogue): string {
  const tables = [...relationsOf(catalogue.columns.filter((column) => !column.isView))]
  const parts = [
    ...tables.map(([name, columns]) => tableText(name, columns, catalogue)),
    ...catalogue.indexes.map((line) => `${line};`),
    ...catalogue.views.map((view) => `CREATE VIEW ${view.name} AS\n${view.definition}`),
    ...catalogue.functions.map((line) => `${line.trim()};`),
    ...catalogue.triggers.map((line) => `${line};`),
  ]
  return `-- The migrated schema. Made by "npm run generate": do not edit.\n\n${parts.join('\n\n')}\n`
}

function tableText(name: string, columns: Column[], catalogue: Catalogue): string {
  const lines = columns.map((column) => {
    return `  ${column.name} ${column.type}${valueText(column)}${column.notNull ? ' NOT NULL' : ''}`
  })
  const constraints = catalogue.constraints
    .filter((constraint) => constraint.relation === name)
    .map((constraint) => `  CONSTRAINT ${constraint.name} ${constraint.definition}`)
  const partitioning = catalogue.partitionings.find(({ relation }) => relation === name)
  const partitioned = partitioning ? ` PARTITION BY ${partitioning.key}` : ''
  const kind = catalogue.unlogged.includes(name) ? 'UNLOGGED TABLE' : 'TABLE'
  return `CREATE ${kind} ${name} (\n${[...lines, ...constraints].join(',\n')}\n)${partitioned};`
}

function valueText({ defaultText, isGenerated }: Column): string {
  if (defaultText === null) return ''
  return isGenerated ? ` GENERATED ALWAYS AS (${defaultText}) STORED` : ` DEFAULT ${defaultText}`
}

const typeNames: Record<string, string> = {
  text: 'string',
  integer: 'number',
  smallint: 'number',
  bigint: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  'timestamp with time zone': 'string',
  'bigint[]': 'number[]',
  'integer[]': 'number[]',
  date: 'string',
  jsonb: 'Json',
  json: 'Json',
  'text[]': 'string[]',
}

const oneOfTexts = /^CHECK \(\((\w+) = ANY \(ARRAY\[([^\]]+)\]\)\)\)(?: NOT VALID)?$/

/** Columns whose check lists all their values, as a union of these: by table and column. */
function unionsOf({ constraints }: Catalogue): Map<string, string> {
  const found = constraints.map(({ relation, definition }) => {
    const [, column = '', list = ''] = oneOfTexts.exec(definition) ?? []
    const values = list.split(', ').map((value) => value.replace(/::text$/, ''))
    return [`${relation}.${column}`, values.join(' | ')] as const
  })
  return new Map(found)
}

/** TypeScript types of all rows, and the columns of each relation by name. */
export function typesText(catalogue: Catalogue): string {
  const columns = catalogue.columns.filter((column) => !isOfReference(column))
  const facts = { columns, unions: unionsOf(catalogue) }
  const relations = [...relationsOf(columns)]
  const tables = relations.map(([name, own]) => `  ${name}: {\n${rowText(own, facts)}\n  }`)
  const lists = relations.map(
    ([name, own]) =>
      `  ${name}: [\n${own
        .filter((column) => !isSortKey(column))
        .map((column) => `    '${column.name}',`)
        .join('\n')}\n  ],`,
  )
  const named = relations.filter(([, own]) => own.some((each) => isSortKey(each) && !each.isView))
  return `// Made from the migrated schema by "npm run generate": do not edit.
import type { ColumnType } from 'kysely'
import type {
${jsonTypeNames()
  .map((name) => `  ${name},`)
  .join('\n')}
} from './json-columns.ts'

export type Json<T = unknown> = ColumnType<T, string, string>
type Defaulted<T> = [T] extends [ColumnType<infer S, infer I, infer U>]
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>
type Computed<T> = ColumnType<T, never, never>
/** Not a part of a row: written with the name, and read only by lists. */
type SortKey<T> = ColumnType<never, T, T>

/** Timestamps are RFC 3339 texts in UTC with milliseconds; bigints are safe integers. */
export type Tables = {
${tables.join('\n')}
}

export const columnsOf = {
${lists.join('\n')}
} as const satisfies { [Table in keyof Tables]: readonly (keyof Tables[Table])[] }

/** Tables whose rows are sorted and searched by name. */
export const namedTables: ReadonlySet<string> = new Set([
${named.map(([name]) => `  '${name}',`).join('\n')}
])
`
}

type Facts = { columns: Column[]; unions: ReadonlyMap<string, string> }

function rowText(own: Column[], { columns, unions }: Facts): string {
  return own
    .map((column) => {
      const union = unions.get(`${tableOf(column)}.${column.name}`)
      const base = union ?? jsonType(column) ?? typeNames[column.type.replace(' collate "C"', '')]
      if (!base) throw new Error(`no TypeScript type for ${column.relation}.${column.name}`)
      const type = isNotNull(column, columns) ? base : `${base} | null`
      return `    ${column.name}: ${wrapped(column, type)}`
    })
    .join('\n')
}

/** For the database's own references: no part of a row. */
const isOfReference = ({ name }: Column): boolean => name === 'sealed_under'

/** The service writes it with the name, and only lists read it. */
const isSortKey = ({ name }: Column): boolean => name.endsWith('_folded')

function wrapped(column: Column, type: string): string {
  const { defaultText, isGenerated } = column
  if (isSortKey(column)) return `SortKey<${type}>`
  if (isGenerated) return `Computed<${type}>`
  return defaultText === null ? type : `Defaulted<${type}>`
}

function jsonType(column: Column): string | undefined {
  const type =
    jsonTypes[`${column.relation}.${column.name}`] ??
    jsonTypes[`${tableOf(column)}.${column.name}`] ??
    jsonTypes[column.name]
  if ((column.type !== 'jsonb' && column.type !== 'json') || type === undefined) return undefined
  return `Json<${type}>`
}

/** Views do not record null-ness or checks: take them from the table's column of the same name. */
const tableOf = ({ relation, isView }: Column): string =>
  isView ? relation.replace(/_details$/, 's') : relation

function isNotNull(column: Column, all: Column[]): boolean {
  if (!column.isView) return column.notNull
  return all.some(
    (other) => other.relation === tableOf(column) && other.name === column.name && other.notNull,
  )
}
