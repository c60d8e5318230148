import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { classes } from '../classes.ts'
import styles from './table.module.css'

export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** The name by which the service sorts it. */
  sort?: string
  align?: 'start' | 'end'
  /** Takes what width is left, and cuts what does not fit. */
  grow?: boolean
  /** Goes on over several lines. */
  wrap?: boolean
  /** Left out on narrow screens. */
  minor?: boolean
  /** Goes on over several lines on narrow screens only. */
  fold?: boolean
}

type TableProps<Row> = {
  /** For those who cannot see the title above it. */
  caption: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  /** `name`, or `-name` for descending. */
  sort?: string | undefined
  onSort?: (sort: string) => void
}

export const Table = <Row extends { id: string }>({
  caption,
  rows,
  columns,
  sort,
  onSort,
}: TableProps<Row>) => (
  <div className={styles.scroll}>
    <table className={styles.table}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <Head key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            {columns.map((column) => (
              <td key={column.id} className={cellClass(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

type Look = Pick<Column<never>, 'align' | 'fold' | 'grow' | 'minor' | 'wrap'>

const cellClass = ({ align, fold, grow, minor, wrap }: Look) =>
  classes(
    align === 'end' && styles.end,
    grow && styles.grow,
    minor && styles.minor,
    wrap && styles.wrap,
    fold && styles.fold,
  )

type HeadProps<Row> = {
  column: Column<Row>
  sort: string | undefined
  onSort: ((sort: string) => void) | undefined
}

function Head<Row>({ column, sort, onSort }: HeadProps<Row>) {
  const { header, sort: name } = column
  if (name === undefined || !onSort) {
    return (
      <th scope="col" className={cellClass(column)}>
        {header}
      </th>
    )
  }
  const isDown = sort === `-${name}`
  const isUp = sort === name
  return (
    <th
      scope="col"
      className={cellClass(column)}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}
    >
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort(isUp ? `-${name}` : name)}
      >
        {header}
        {isUp && <IconArrowUp aria-hidden />}
        {isDown && <IconArrowDown aria-hidden />}
      </button>
    </th>
  )
}
