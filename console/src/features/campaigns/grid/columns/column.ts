import type { ReactNode } from 'react'
import type { Campaign, Schema } from '../../../../flightdeck.ts'
import type { Operation } from '../../../../rights.ts'

export type Field = Schema<'CampaignField'> & keyof Campaign

/** Fields of every row, whatever columns are shown: actions and edits need them. */
export const ownFields = [
  'name',
  'status',
  'delivery',
  'available_actions',
  'currency',
  'currency_exponent',
  'time_zone',
  'version',
] as const satisfies readonly Field[]

/** A campaign as far as it was read. */
export type GridRow = Pick<Campaign, 'id' | (typeof ownFields)[number]> & Partial<Campaign>

/** The fields that are edited in their cells. */
export type EditableField =
  | 'name'
  | 'daily_budget'
  | 'lifetime_budget'
  | 'labels'
  | 'start_at'
  | 'end_at'

type CellState = { tabIndex: 0 | -1; isSelected: boolean }

export type GridColumn = {
  id: string
  header: string
  /** In pixels, until it is changed. */
  width: number
  /** Fields that it reads of a campaign, beyond those of every row. */
  fields: readonly Field[]
  cell: (row: GridRow, state: CellState) => ReactNode
  /** Set if a control in the cell has the focus, instead of the cell. */
  isControl?: boolean
  /** In place of the header's text. */
  head?: (tabIndex: 0 | -1) => ReactNode
  /** The name by which the service sorts it. */
  sort?: string
  /** The largest come first where it is sorted for the first time. */
  isLargestFirst?: true
  /**
   * The operation that reads its data, if that is not the list: roles without it do not see the
   * column.
   */
  operation?: Operation
  align?: 'end'
  edits?: EditableField
}
