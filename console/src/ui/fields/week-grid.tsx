// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be turned on its side by its style.
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in rows and headers takes the focus.
import type { CSSProperties } from 'react'
import {
  type Day,
  dayNames,
  days,
  quartersADay,
  short,
  timeOf,
  type Window,
} from '../../data/values/week.ts'
import { classes } from '../classes.ts'
import { type Cell, cellName, isOpenAt, openIn, usePainting } from './painting.ts'
import styles from './week-grid.module.css'

type WeekGridProps = {
  label: string
  windows: readonly Window[]
  /** Left out: only shown. */
  onChange: ((windows: Window[]) => void) | undefined
  /** Quarter hours in a cell. */
  step: number
}

type Painting = ReturnType<typeof usePainting>

/** A week on a wall clock, to paint. On narrow screens the hours go down instead of across. */
export function WeekGrid({ label, windows, onChange, step }: WeekGridProps) {
  const painting = usePainting({ windows, onChange, step })
  const columns = quartersADay / step
  return (
    <div className={styles.scroll}>
      <div
        role="grid"
        aria-label={label}
        aria-readonly={!onChange}
        aria-multiselectable
        tabIndex={-1}
        className={classes(styles.grid, onChange && styles.paintable)}
        style={{ '--columns': columns, '--hour': hourLength / step } as CSSProperties}
        {...painting.handlers}
      >
        <HourRow columns={columns} step={step} painting={painting} isOff={!onChange} />
        {days.map((day) => (
          <DayRow
            key={day}
            day={day}
            columns={columns}
            step={step}
            painting={painting}
            isOff={!onChange}
          />
        ))}
      </div>
    </div>
  )
}

type RowProps = { columns: number; step: number; painting: Painting; isOff: boolean }

/** In quarter hours. */
const hourLength = 4

const spanOf = (column: number, step: number) =>
  `${timeOf(column * step)}–${timeOf((column + 1) * step)}`

function HourRow({ columns, step, painting, isOff }: RowProps) {
  const span = hourLength / step
  return (
    <div role="row" className={styles.row}>
      <span role="columnheader" className={styles.corner}>
        <span className="visually-hidden">Day</span>
      </span>
      {Array.from({ length: columns / span }, (_, hour) => (
        <Header
          key={spanOf(hour, hourLength)}
          role="columnheader"
          name={`Every day, ${spanOf(hour, hourLength)}`}
          text={timeOf(hour * hourLength).slice(0, 2)}
          from={{ day: 0, column: hour * span }}
          to={{ day: days.length - 1, column: (hour + 1) * span - 1 }}
          {...{ painting, step, isOff }}
        />
      ))}
    </div>
  )
}

function DayRow({ day, columns, step, painting, isOff }: RowProps & { day: Day }) {
  const row = days.indexOf(day)
  const { at, quarters } = painting
  return (
    <div role="row" className={styles.row}>
      <Header
        role="rowheader"
        name={`${dayNames[day]}, all day`}
        text={short(day)}
        from={{ day: row, column: 0 }}
        to={{ day: row, column: columns - 1 }}
        {...{ painting, step, isOff }}
      />
      {Array.from({ length: columns }, (_, column) => {
        const cell = { day: row, column }
        const open = openIn(quarters, cell, step)
        return (
          <span
            key={cellName(cell)}
            role="gridcell"
            data-cell={cellName(cell)}
            tabIndex={at.day === row && at.column === column ? 0 : -1}
            aria-selected={open === step}
            aria-label={`${dayNames[day]} ${spanOf(column, step)}${partly(open, step)}`}
            className={classes(
              styles.cell,
              open === step && styles.open,
              open > 0 && open < step && styles.part,
            )}
          />
        )
      })}
    </div>
  )
}

const partly = (open: number, step: number) =>
  open > 0 && open < step ? `, open for ${open * 15} minutes` : ''

type HeaderProps = {
  role: 'columnheader' | 'rowheader'
  name: string
  text: string
  from: Cell
  to: Cell
  painting: Painting
  step: number
  isOff: boolean
}

/** Opens a whole day or hour, or closes it if it is open. */
function Header({ role, name, text, from, to, painting, step, isOff }: HeaderProps) {
  const { quarters, paint } = painting
  const isOpen = cellsBetween(from, to).every((cell) => isOpenAt(quarters, cell, step))
  return (
    <span role={role} className={classes(styles.header, role === 'columnheader' && styles.hour)}>
      {isOff ? (
        text
      ) : (
        <button
          type="button"
          tabIndex={role === 'rowheader' ? 0 : -1}
          aria-pressed={isOpen}
          onClick={() => paint({ from, to, isOpen: !isOpen })}
        >
          <span aria-hidden>{text}</span>
          <span className="visually-hidden">{name}</span>
        </button>
      )}
    </span>
  )
}

const cellsBetween = (from: Cell, to: Cell): Cell[] =>
  Array.from({ length: to.day - from.day + 1 }, (_, day) =>
    Array.from({ length: to.column - from.column + 1 }, (_, column) => ({
      day: from.day + day,
      column: from.column + column,
    })),
  ).flat()
