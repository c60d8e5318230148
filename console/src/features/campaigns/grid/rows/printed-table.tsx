import { CutNote } from '../../../../ui/lists/cut-note.tsx'
import { type Column, Table } from '../../../../ui/lists/table.tsx'
import { mostPrinted } from '../../../../ui/printing/printing.ts'
import type { GridColumn, GridRow } from '../columns/column.ts'

type PrintedProps = {
  rows: readonly GridRow[]
  total: number
  columns: readonly GridColumn[]
}

/** The rows as a plain table, as far as they were read. */
export default function PrintedTable({ rows, total, columns }: PrintedProps) {
  const printed = rows.slice(0, mostPrinted)
  return (
    <>
      <Table caption="Campaigns" rows={printed} columns={columns.map(toColumn)} />
      {total > printed.length && <CutNote shown={printed.length} total={total} />}
    </>
  )
}

const noFocus = { tabIndex: -1, isSelected: false } as const

const toColumn = ({ id, header, align, fields, cell }: GridColumn): Column<GridRow> => ({
  id,
  header,
  ...(align && { align }),
  wrap: id === 'name',
  cell: (row) => (fields.every((field) => Object.hasOwn(row, field)) ? cell(row, noFocus) : null),
})
