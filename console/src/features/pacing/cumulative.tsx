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
}

type Unit = { currency: string; exponent: number }

const band = 0.1

/** Spending so far beside the plan, with ten per cent to either side. */
export function Cumulative({ pacing, days }: CumulativeProps) {
  const unit = { currency: pacing.currency, exponent: pacing.currency_exponent }
  const isChanged = days.at(-1)?.scheduledSum !== days.at(-1)?.expectedSum
  const largest = Math.max(
    ...days.map(({ expectedSum, scheduledSum, spentSum }) =>
      Math.max(expectedSum * (1 + band), scheduledSum, spentSum ?? 0),
    ),
    1,
  )
  return (
    <Chart
      title="Spent so far"
      summary={summaryOf(days, unit)}
      labels={days.map(({ date }) => formatShortDate(date))}
      largest={largest}
      format={(minor) => formatMoney({ minor: Math.round(minor), ...unit })}
      legend={isChanged ? [...legend, scheduledLegend] : legend}
      read={(at) => (days[at] ? dayText(days[at], unit) : '')}
      table={
        <Table caption="Spent so far, by day" rows={days} columns={columnsIn(unit, isChanged)} />
      }
    >
      {(scales) => <Lines days={days} isChanged={isChanged} {...scales} />}
    </Chart>
  )
}

const legend = [
  { name: 'Spent', className: styles.spent },
  { name: `Expected ± ${formatPercent(band)}`, className: styles.band },
]

const scheduledLegend = { name: 'With what is scheduled', className: styles.scheduled }

/** All that stands at a day. */
function dayText({ date, spentSum, expectedSum, scheduledSum }: Day, unit: Unit): string {
  const money = (minor: number) => formatMoney({ minor: Math.round(minor), ...unit })
  return [
    `${formatDate(date)}: ${spentSum === null ? 'no data' : `${money(spentSum)} spent by then`}`,
    `${money(expectedSum)} expected`,
    ...(scheduledSum === expectedSum ? [] : [`${money(scheduledSum)} with what is scheduled`]),
  ].join(', ')
}

function summaryOf(days: readonly Day[], unit: Unit): string {
  const last = days.findLast(({ spentSum }) => spentSum !== null)
  if (!last) return 'Nothing has been reported.'
  const spent = formatMoney({ minor: last.spentSum ?? 0, ...unit })
  const expected = formatMoney({ minor: last.expectedSum, ...unit })
  return `${spent} spent by ${formatDate(last.date)}, ${expected} expected.${scheduledWords(days, unit)}`
}

/** End of the plan with what is scheduled, if that changes it. */
function scheduledWords(days: readonly Day[], unit: Unit): string {
  const end = days.at(-1)
  if (!end || end.scheduledSum === end.expectedSum) return ''
  const minor = Math.round(end.scheduledSum)
  return ` With what is scheduled, ${formatMoney({ minor, ...unit })} by ${formatDate(end.date)}.`
}

const columnsIn = (unit: Unit, isChanged: boolean): readonly Column<Day>[] => [
  { id: 'date', header: 'Day', cell: ({ date }) => formatDate(date) },
  {
    id: 'expected',
    header: 'Expected by then',
    align: 'end',
    cell: ({ expectedSum }) => <Money minor={expectedSum} {...unit} />,
  },
  ...(isChanged ? [scheduledColumn(unit)] : []),
  {
    id: 'spent',
    header: 'Spent by then',
    align: 'end',
    cell: ({ spentSum }) => <Money minor={spentSum} {...unit} />,
  },
]

const scheduledColumn = (unit: Unit): Column<Day> => ({
  id: 'scheduled',
  header: 'With what is scheduled',
  align: 'end',
  cell: ({ scheduledSum }) => <Money minor={Math.round(scheduledSum)} {...unit} />,
})

type LinesProps = { days: readonly Day[]; isChanged: boolean; x: Scale; y: Scale }

function Lines({ days, isChanged, x, y }: LinesProps) {
  const at = (value: number, index: number) => [x(index + 0.5), y(value)] as const
  const expected = days.map(({ expectedSum }, index) => at(expectedSum, index))
  const upper = days.map(({ expectedSum }, index) => at(expectedSum * (1 + band), index))
  const lower = days.map(({ expectedSum }, index) => at(expectedSum * (1 - band), index))
  const scheduled = days.map(({ scheduledSum }, index) => at(scheduledSum, index))
  const spent = days.map(({ spentSum }, index) => (spentSum === null ? null : at(spentSum, index)))
  return (
    <>
      <path d={bandOf(upper, lower)} className={styles.band} />
      <path d={lineOf(expected)} className={styles.expected} />
      {isChanged && <path d={lineOf(scheduled)} className={styles.scheduled} />}
      <path d={lineOf(spent)} className={styles.line} />
    </>
  )
}
