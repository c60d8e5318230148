// biome-ignore-all lint/a11y/useSemanticElements: the rows of a table cannot stand where they are scrolled to.
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { GridColumn } from './columns/column.ts'
import { type Cursor, onPress, useCursor } from './cursor.ts'
import styles from './grid.module.css'
import { Row } from './rows/row.tsx'
import type { GridRows } from './rows/rows.ts'
import type { Layout } from './views/widths.ts'

/** Questions and requests to the grid from outside. */
export type GridHandle = {
  /** Ids of the rows in sight. */
  ids: () => readonly string[]
  last: () => number
  goTo: (index: number) => void
  focus: () => void
  /** The one that the keyboard is at; -1 is the head. */
  row: () => number
}

type TableProps = {
  grid: GridRows
  columns: readonly GridColumn[]
  layout: Layout
  rowHeight: number
  selected: ReadonlySet<string>
  deleted: ReadonlySet<string>
  head: (activeColumn: number) => ReactNode
  handle: RefObject<GridHandle>
  element: RefObject<HTMLDivElement | null>
  onKey: (event: KeyboardEvent, cursor: Cursor) => void
  onClick: (event: MouseEvent, cell: { column: string; index: number }) => void
  onDoubleClick: (cell: { column: string; index: number }) => void
}

const overscan = 4

/** Ten thousand rows of which those in sight are drawn, each of one height. */
export function GridTable(props: TableProps) {
  const { grid, columns, layout, rowHeight, head, handle, element } = props
  const [active, setActive] = useState({ row: 0, column: 2 })
  const virtualizer = useRowVirtualizer(props, active.row)
  const cursor = useCursor({ active, setActive, element, columns, count: grid.total, virtualizer })
  useHandle(handle, { virtualizer, rows: grid.rows, cursor })
  useReadingAhead(grid, virtualizer.range?.endIndex ?? 0)
  const style: CSSProperties & Layout & { '--row': string } = {
    ...layout,
    '--row': `${rowHeight}px`,
  }
  const headColumn = active.row === -1 ? active.column : -1
  const headRow = useMemo(() => head(headColumn), [head, headColumn])
  return (
    <div
      ref={element}
      role="grid"
      aria-label="Campaigns"
      aria-rowcount={grid.total + 1}
      aria-colcount={columns.length}
      aria-multiselectable
      aria-busy={grid.isPlaceholderData || undefined}
      data-scroll-restoration-id="campaigns"
      className={styles.grid}
      style={style}
      onKeyDown={(event) => props.onKey(event, cursor)}
      onFocus={cursor.follow}
      onBlur={cursor.leave}
      onClick={(event) => withCell(event, (cell) => props.onClick(event, cell))}
      onDoubleClick={(event) => withCell(event, props.onDoubleClick)}
      onMouseDown={onPress}
    >
      {headRow}
      <div role="rowgroup" className={styles.rows} style={{ height: grid.total * rowHeight }}>
        {rowsInSight(props, virtualizer, active)}
      </div>
    </div>
  )
}

type Active = { row: number; column: number }

const rowsInSight = (props: TableProps, virtualizer: RowVirtualizer, active: Active) =>
  virtualizer.getVirtualItems().map(({ index, key, start }) => {
    const row = props.grid.rows[index]
    return (
      <Row
        key={key}
        row={row}
        index={index}
        top={start - props.rowHeight}
        columns={props.columns}
        isSelected={row !== undefined && props.selected.has(row.id)}
        isDeleted={row !== undefined && props.deleted.has(row.id)}
        activeColumn={index === active.row ? active.column : -1}
      />
    )
  })

type RowVirtualizer = Virtualizer<HTMLDivElement, Element>

function useRowVirtualizer(
  { grid, rowHeight, element }: TableProps,
  activeRow: number,
): RowVirtualizer {
  const { rows, total } = grid
  // With another function, it measures ten thousand rows again.
  const getItemKey = useCallback((index: number) => rows[index]?.id ?? index, [rows])
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: total,
    getScrollElement: () => element.current,
    estimateSize: () => rowHeight,
    getItemKey,
    overscan,
    // The head stays in sight above them.
    scrollMargin: rowHeight,
    scrollPaddingStart: rowHeight,
    useFlushSync: false,
    rangeExtractor: ({ startIndex, endIndex, count }) => {
      const from = Math.max(0, startIndex - overscan)
      const to = Math.min(count - 1, endIndex + overscan)
      const shown = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
      // The row with the focus stays, or the focus would be lost.
      if (activeRow < 0 || activeRow >= count || (activeRow >= from && activeRow <= to))
        return shown
      return activeRow < from ? [activeRow, ...shown] : [...shown, activeRow]
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: all rows have another height then.
  useEffect(() => virtualizer.measure(), [rowHeight])
  return virtualizer
}

function useReadingAhead({ readAhead }: GridRows, last: number): void {
  useEffect(() => readAhead(last), [readAhead, last])
}

type Inside = { virtualizer: RowVirtualizer; rows: GridRows['rows']; cursor: Cursor }

function useHandle(handle: RefObject<GridHandle>, inside: Inside): void {
  const latest = useRef(inside)
  latest.current = inside
  useEffect(() => {
    const range = () => latest.current.virtualizer.range ?? { startIndex: 0, endIndex: 0 }
    handle.current = {
      last: () => range().endIndex,
      ids: () =>
        latest.current.rows.slice(range().startIndex, range().endIndex + 1).map(({ id }) => id),
      goTo: (index) => latest.current.cursor.moveTo(index, latest.current.cursor.column),
      focus: () => latest.current.cursor.focus(),
      row: () => latest.current.cursor.row,
    }
  }, [handle])
}

/** The row of the head is -1. */
function withCell(
  { target }: MouseEvent,
  act: (cell: { column: string; index: number }) => void,
): void {
  if (!(target instanceof Element)) return
  const column = target.closest<HTMLElement>('[data-column]')?.dataset.column
  const index = Number(target.closest('[aria-rowindex]')?.ariaRowIndex) - 2
  if (column !== undefined && index >= -1) act({ column, index })
}
