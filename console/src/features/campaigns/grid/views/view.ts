import { one, type Search } from '../../../../data/search.ts'
import { rolesOf } from '../../../../rights.ts'
import { type Field, type GridColumn, ownFields } from '../columns/column.ts'
import { columns } from '../columns/columns.tsx'
import { type GridQuery, sortedFieldOf } from './query.ts'

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
    id: 'performance',
    name: 'Performance',
    columns: ['performance', 'target', 'metric_cpa', 'metric_spend', 'daily_budget'],
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

/** Fields that are read of each row. */
export const fieldsOf = (shown: readonly GridColumn[], query: GridQuery): Field[] => [
  ...new Set([...ownFields, ...shown.flatMap(({ fields }) => fields), sortedFieldOf(query)]),
]
