import styles from '../../charts/chart.module.css'
import { Chart } from '../../charts/chart.tsx'
import { bandOf, lineOf, type Scale } from '../../charts/scale.ts'
import { formatMoney } from '../../data/values/money.ts'
import { formatPercent } from '../../data/values/numbers.ts'
import { formatDate, formatShortDate } from '../../data/values/time.ts'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Money } from '../../ui/values/money.tsx'
import type { Day } from './days.ts'
import type { Pacing } from './queries.ts'

type CumulativeProps = {
  pacing: Pacing
  days: readonly Day[]
  /** A note on changes that the expectation leaves out. */
  uncounted: string | null
}

type Unit = { currency: string; exponent: number }

const band = 0.1

/** Spending so far beside the plan, with ten per cent to either side. */
export function Cumulative({ pacing, days, uncounted }: CumulativeProps) {
  const unit = { currency: pacing.currency, exponent: pacing.currency_exponent }
  const summary = summaryOf(days, unit)
  const largest = Math.max(
    ...days.map(({ expectedSum, spentSum }) => Math.max(expectedSum * (1 + band), spentSum ?? 0)),
    1,
  )
  return (
    <Chart
      title="Spent so far"
      summary={uncounted ? `${summary} ${uncounted}` : summary}
      labels={days.map(({ date }) => formatShortDate(date))}
      largest={largest}
      format={(minor) => formatMoney({ minor: Math.round(minor), ...unit })}
      legend={legend}
      table={<Table caption="Spent so far, by day" rows={days} columns={columnsIn(unit)} />}
    >
      {(scales) => <Lines days={days} {...scales} />}
    </Chart>
  )
}

const legend = [
  { name: 'Spent', className: styles.spent },
  { name: `Expected ± ${formatPercent(band)}`, className: styles.band },
]

function summaryOf(days: readonly Day[], unit: Unit): string {
  const last = days.findLast(({ spentSum }) => spentSum !== null)
  if (!last) return 'Nothing has been reported.'
  const spent = formatMoney({ minor: last.spentSum ?? 0, ...unit })
  const expected = formatMoney({ minor: last.expectedSum, ...unit })
  return `${spent} spent by ${formatDate(last.date)}, ${expected} expected.`
}

const columnsIn = (unit: Unit): readonly Column<Day>[] => [
  { id: 'date', header: 'Day', cell: ({ date }) => formatDate(date) },
  {
    id: 'expected',
    header: 'Expected by then',
    align: 'end',
    cell: ({ expectedSum }) => <Money minor={expectedSum} {...unit} />,
  },
  {
    id: 'spent',
    header: 'Spent by then',
    align: 'end',
    cell: ({ spentSum }) => <Money minor={spentSum} {...unit} />,
  },
]

function Lines({ days, x, y }: { days: readonly Day[]; x: Scale; y: Scale }) {
  const at = (value: number, index: number) => [x(index + 0.5), y(value)] as const
  const expected = days.map(({ expectedSum }, index) => at(expectedSum, index))
  const upper = days.map(({ expectedSum }, index) => at(expectedSum * (1 + band), index))
  const lower = days.map(({ expectedSum }, index) => at(expectedSum * (1 - band), index))
  const spent = days.map(({ spentSum }, index) => (spentSum === null ? null : at(spentSum, index)))
  return (
    <>
      <path d={bandOf(upper, lower)} className={styles.band} />
      <path d={lineOf(expected)} className={styles.expected} />
      <path d={lineOf(spent)} className={styles.line} />
    </>
  )
}
