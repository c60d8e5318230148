// biome-ignore-all lint/a11y/useSemanticElements: the rows of a table cannot stand where they are scrolled to.
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { Header } from '@tanstack/react-table'
import { classes } from '../../../ui/classes.ts'
import type { GridColumn } from './columns/column.ts'
import styles from './grid.module.css'
import type { Features } from './views/use-columns.ts'

export type HeadProps = {
  columns: readonly GridColumn[]
  headers: ReadonlyMap<string, Header<Features, object>>
  sort: string | undefined
  onSort: (sort: string) => void
  activeColumn: number
}

/** The first row of the grid: names that sort, and edges that are drawn to size. */
export function Head({ columns, headers, sort, onSort, activeColumn }: HeadProps) {
  return (
    <div role="rowgroup" className={styles.head}>
      {/* biome-ignore lint/a11y/useFocusableInteractive: the cells have the focus. */}
      <div role="row" aria-rowindex={1} className={styles.headRow}>
        {columns.map((column, at) => (
          <HeadCell
            key={column.id}
            column={column}
            at={at}
            header={headers.get(column.id)}
            sort={sort}
            onSort={onSort}
            tabIndex={at === activeColumn ? 0 : -1}
          />
        ))}
      </div>
    </div>
  )
}

type HeadCellProps = Omit<HeadProps, 'columns' | 'headers' | 'activeColumn'> & {
  column: GridColumn
  at: number
  header: Header<Features, object> | undefined
  tabIndex: 0 | -1
}

function HeadCell({ column, at, header, sort, onSort, tabIndex }: HeadCellProps) {
  const { id, sort: name, align, head, isLargestFirst = false } = column
  const isControl = head !== undefined || name !== undefined
  return (
    <div
      role="columnheader"
      aria-colindex={at + 1}
      aria-sort={name === undefined ? undefined : orderOf(name, sort)}
      data-column={id}
      tabIndex={isControl ? undefined : tabIndex}
      className={classes(styles.headCell, align === 'end' && styles.end, at <= 2 && styles.sticky)}
    >
      {head?.(tabIndex)}
      {!isControl && <span className={styles.cut}>{column.header}</span>}
      {name !== undefined && !head && (
        <SortButton
          text={column.header}
          order={orderOf(name, sort)}
          tabIndex={tabIndex}
          isLargestFirst={isLargestFirst}
          onSort={(isDown) => onSort(isDown ? `-${name}` : name)}
        />
      )}
      {header && <Edge header={header} />}
    </div>
  )
}

type Order = 'ascending' | 'descending' | 'none'

function orderOf(name: string, sort: string | undefined): Order {
  if (sort === name) return 'ascending'
  return sort === `-${name}` ? 'descending' : 'none'
}

type SortProps = {
  text: string
  order: Order
  tabIndex: 0 | -1
  isLargestFirst: boolean
  onSort: (isDown: boolean) => void
}

const SortButton = ({ text, order, tabIndex, isLargestFirst, onSort }: SortProps) => (
  <button
    type="button"
    tabIndex={tabIndex}
    className={styles.sort}
    onClick={() => onSort(order === 'none' ? isLargestFirst : order === 'ascending')}
  >
    <span className={styles.cut}>{text}</span>
    {order === 'ascending' && <IconArrowUp aria-hidden />}
    {order === 'descending' && <IconArrowDown aria-hidden />}
  </button>
)

/** Drawn by the pointer; by the keyboard with Shift and the arrows, by numbers in the columns. */
const Edge = ({ header }: { header: Header<Features, object> }) => (
  <span
    aria-hidden
    className={classes(styles.edge, header.column.getIsResizing() && styles.dragged)}
    onMouseDown={header.getResizeHandler()}
    onTouchStart={header.getResizeHandler()}
  />
)
