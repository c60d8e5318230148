import { many, one, queryOf, type Search } from '../../../../data/search.ts'
import { rolesOf } from '../../../../rights.ts'
import { type Field, type GridColumn, ownFields } from '../columns/column.ts'
import { columns } from '../columns/columns.tsx'

/** The names in the address by which campaigns are filtered: those of the API. */
export const filterNames = [
  'q',
  'status',
  'delivery',
  'delivery_reason',
  'pacing_status',
  'objective',
  'client',
  'profile_id',
  'label',
  'currency',
  'daily_budget_min',
  'daily_budget_max',
  'start_after',
  'start_before',
  'end_after',
  'end_before',
  'include_archived',
] as const

/** Sets of columns for a purpose. */
export const presets = [
  {
    id: 'delivery',
    name: 'Delivery',
    columns: ['status', 'delivery', 'daily_budget', 'start_at', 'end_at', 'profile', 'labels'],
  },
  {
    id: 'budget',
    name: 'Budget and pacing',
    columns: [
      'daily_budget',
      'spend',
      'pacing',
      'projected',
      'at_risk',
      'last_days',
      'status',
      'lifetime_budget',
      'end_at',
      'client',
    ],
  },
  {
    id: 'schedule',
    name: 'Schedule',
    columns: ['status', 'start_at', 'end_at', 'time_zone', 'schedule', 'delivery'],
  },
  {
    id: 'administration',
    name: 'Administration',
    columns: [
      'status',
      'client',
      'profile',
      'external_id',
      'labels',
      'created_by',
      'created_at',
      'updated_by',
      'updated_at',
    ],
  },
] as const

const [usual] = presets

export const presetOf = (search: Search) =>
  presets.find(({ id }) => id === one(search.preset)) ?? usual

const byId = new Map(columns.map((column) => [column.id, column]))

/** The columns that a role may read. */
export const columnsFor = (role: string): readonly GridColumn[] =>
  columns.filter(({ operation }) => operation === undefined || rolesOf(operation).includes(role))

/** In their order. The name is always the first. */
export function columnsOf(search: Search, role: string): readonly GridColumn[] {
  const chosen = one(search.columns)?.split(',') ?? presetOf(search).columns
  const ids = new Set(['name', ...chosen])
  const allowed = columnsFor(role)
  return [...ids].flatMap((id) => allowed.find((column) => column.id === id) ?? [])
}

export type Widths = Readonly<Record<string, number>>

export const narrowest = 64
export const widest = 800

/** `name:320,labels:90` */
export function widthsOf(search: Search): Widths {
  const pairs = (one(search.widths) ?? '').split(',').map((pair) => pair.split(':'))
  return Object.fromEntries(
    pairs.flatMap(([id = '', width = '']) =>
      byId.has(id) && /^\d{1,4}$/.test(width) ? [[id, inBounds(Number(width))]] : [],
    ),
  )
}

type Size = { id: string; width: number; isOwn: boolean }

/** How far columns of text go where there is room. */
const widestOf: Readonly<Record<string, number>> = {
  name: 520,
  profile: 320,
  client: 280,
  labels: 320,
}

/** Widths of the columns before those that people choose. */
const fixedWidths = [36, 40]

const sum = (one: number, other: number) => one + other

export type Layout = { '--tracks': string; '--least': string }

/** Tracks of the grid; columns of text share what is left, unless they were sized. */
export function layoutOf(sizes: readonly Size[]): Layout {
  const tracks = sizes.map(({ id, width, isOwn }) => {
    const most = isOwn ? width : (widestOf[id] ?? width)
    return most > width ? `minmax(${width}px, ${most}px)` : `${width}px`
  })
  const least = [...fixedWidths, ...sizes.map(({ width }) => width)].reduce(sum)
  return {
    '--tracks': [...fixedWidths.map((width) => `${width}px`), ...tracks].join(' '),
    '--least': `${least}px`,
  }
}

export const inBounds = (width: number): number =>
  Math.min(widest, Math.max(narrowest, Math.round(width)))

export const widthsText = (widths: Widths): string | undefined =>
  Object.entries(widths)
    .map(([id, width]) => `${id}:${width}`)
    .join(',') || undefined

export type GridQuery = Readonly<Record<string, string | string[]>>

type SortedField = 'name' | 'created_at' | 'updated_at' | 'daily_budget_minor' | 'end_at'

const sortedFields: Readonly<Record<string, SortedField>> = {
  name: 'name',
  updated_at: 'updated_at',
  daily_budget: 'daily_budget_minor',
  end_at: 'end_at',
}

/** Whether pacing decides which rows there are, or their order. */
export const followsPacing = (query: GridQuery): boolean =>
  query.pacing_status !== undefined || sortsByRisk(query)

export const sortsByRisk = ({ sort }: GridQuery): boolean =>
  `${sort ?? ''}`.endsWith('money_at_risk')

/** The field by which the rows are in order; newest first unless they are sorted. */
export const sortedFieldOf = ({ sort }: GridQuery): SortedField =>
  sortedFields[`${sort ?? ''}`.replace('-', '')] ?? 'created_at'

/** Fields that are read of each row. */
export const fieldsOf = (shown: readonly GridColumn[], query: GridQuery): Field[] => [
  ...new Set([...ownFields, ...shown.flatMap(({ fields }) => fields), sortedFieldOf(query)]),
]

/** The query for the service. Bounds of a budget mean nothing without their currency. */
export function gridQuery(search: Search): GridQuery {
  const hasCurrency = many(search.currency).length === 1
  const names = filterNames.filter((name) => hasCurrency || !name.startsWith('daily_budget_'))
  return queryOf(search, [...names, 'sort'])
}

export const isFiltered = (search: Search): boolean =>
  filterNames.some((name) => search[name] !== undefined)

export const noFilters: Search = Object.fromEntries(filterNames.map((name) => [name, undefined]))
