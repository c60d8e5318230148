/** The fields of a row that a column can have. */
export const fields = [
  'campaign_id',
  'external_id',
  'campaign_name',
  'date',
  'end_date',
  'spend',
  'currency',
  'impressions',
  'clicks',
  'conversions',
  'conversion_value',
  'adjustment',
  'is_final',
] as const
export type Field = (typeof fields)[number]

/** The number of the column of each field, from 0. */
export type Columns = Readonly<Partial<Record<Field, number>>>

export const isField = (name: string): name is Field => fields.some((field) => field === name)

/** Fields with amounts or counts. */
export const numbers = [
  'spend',
  'impressions',
  'clicks',
  'conversions',
  'conversion_value',
  'adjustment',
] as const satisfies readonly Field[]

export type NumberField = (typeof numbers)[number]

const counts: readonly Field[] = ['impressions', 'clicks']

export const isCount = (field: Field): boolean => counts.includes(field)

/** The fields that rows lack before they can be reported, each as the names that would do. */
export function lackingIn(columns: Columns): readonly (readonly Field[])[] {
  const needed: readonly (readonly Field[])[] = [
    ['campaign_id', 'external_id', 'campaign_name'],
    ['date'],
    ['spend'],
  ]
  return needed.filter((names) => names.every((name) => columns[name] === undefined))
}
