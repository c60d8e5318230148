// biome-ignore-all lint/a11y/useSemanticElements: the rows of a table cannot stand where they are scrolled to.
import { memo } from 'react'
import { classes } from '../../../../ui/classes.ts'
import type { GridColumn, GridRow } from '../columns/column.ts'
import styles from '../grid.module.css'

type RowProps = {
  /** Not read yet where it is missing. */
  row: GridRow | undefined
  index: number
  top: number
  columns: readonly GridColumn[]
  isSelected: boolean
  isDeleted: boolean
  /** The column that the keyboard is at; -1 in all other rows. */
  activeColumn: number
}

/** Drawn again only when something of this row changes: the grid scrolls by as it is. */
export const Row = memo(function Row(props: RowProps) {
  const { row, index, top, columns, isSelected, isDeleted, activeColumn } = props
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the cells have the focus.
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-row={row?.id}
      className={classes(styles.row, isSelected && styles.selected, isDeleted && styles.deleted)}
      style={{ top }}
    >
      {columns.map((column, at) => (
        <Cell
          key={column.id}
          column={column}
          at={at}
          row={row}
          isActive={at === activeColumn}
          isSelected={isSelected}
        />
      ))}
    </div>
  )
})

/** For the pointer; keys have their own. Its picture is a style: a grid has hundreds. */
const pencil = <span aria-hidden data-edit className={styles.pencil} />

type CellProps = {
  column: GridColumn
  at: number
  row: GridRow | undefined
  isActive: boolean
  isSelected: boolean
}

function Cell({ column, at, row, isActive, isSelected }: CellProps) {
  const { id, align, edits, isControl, fields, cell } = column
  const tabIndex = isActive ? 0 : -1
  const isRead = row && fields.every((field) => Object.hasOwn(row, field))
  return (
    <div
      role="gridcell"
      aria-colindex={at + 1}
      data-column={id}
      tabIndex={isControl && isRead ? undefined : tabIndex}
      className={classes(
        styles.cell,
        align === 'end' && styles.end,
        edits && styles.editable,
        at <= 2 && styles.sticky,
      )}
    >
      {isRead ? cell(row, { tabIndex, isSelected }) : <span className={styles.unread} />}
      {edits && isRead && pencil}
    </div>
  )
}
