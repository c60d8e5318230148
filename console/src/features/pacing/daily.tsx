import styles from '../../charts/chart.module.css'
import { Chart } from '../../charts/chart.tsx'
import { lineOf, type Scale } from '../../charts/scale.ts'
import { formatMoney } from '../../data/values/money.ts'
import { formatDate, formatShortDate } from '../../data/values/time.ts'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Money } from '../../ui/values/money.tsx'
import type { Day } from './days.ts'
import type { Pacing } from './queries.ts'

type DailyProps = { pacing: Pacing; days: readonly Day[] }

/** Spending of each day, beside its budget and the allowance of its platform. */
export function Daily({ pacing, days }: DailyProps) {
  const unit = { currency: pacing.currency, exponent: pacing.currency_exponent }
  const amounts = days.flatMap(({ spent, budget, allowed }) => [
    spent ?? 0,
    budget ?? 0,
    allowed ?? 0,
  ])
  return (
    <Chart
      title="Each day"
      summary={overspendText(days)}
      labels={days.map(({ date }) => formatShortDate(date))}
      largest={Math.max(...amounts, 1)}
      format={(minor) => formatMoney({ minor: Math.round(minor), ...unit })}
      legend={legend}
      read={(at) => (days[at] ? dayText(days[at], unit) : '')}
      table={
        <Table
          caption="Spent each day"
          rows={days.filter(({ spent, budget }) => spent !== null || budget !== null)}
          columns={columnsIn(unit)}
        />
      }
    >
      {(scales) => <Marks days={days} {...scales} />}
    </Chart>
  )
}

const legend = [
  { name: 'Spent', className: styles.spent },
  { name: 'Provisional', className: styles.provisional },
  { name: 'Budget', className: styles.expected },
  { name: 'Allowed at most', className: styles.allowed },
]

function overspendText(days: readonly Day[]): string {
  const over = days.filter(
    ({ spent, allowed }) => spent !== null && allowed !== null && spent > allowed,
  )
  return over.length === 0
    ? 'No day is above what the platform allows itself.'
    : `${over.length} days are above what the platform allows itself.`
}

type Unit = { currency: string; exponent: number }

/** All that stands at a day. */
function dayText({ date, spent, isFinal, budget, allowed }: Day, unit: Unit): string {
  const money = (minor: number) => formatMoney({ minor, ...unit })
  return [
    `${formatDate(date)}: ${spent === null ? 'no data' : `${money(spent)} spent`}`,
    ...(spent === null || isFinal ? [] : ['provisional']),
    ...(budget === null ? [] : [`${money(budget)} budget`]),
    ...(allowed === null ? [] : [`${money(allowed)} allowed at most`]),
  ].join(', ')
}

const columnsIn = (unit: Unit): readonly Column<Day>[] => [
  { id: 'date', header: 'Day', cell: ({ date }) => formatDate(date) },
  {
    id: 'spent',
    header: 'Spent',
    align: 'end',
    cell: ({ spent }) => <Money minor={spent} {...unit} />,
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ spent, isFinal }) => (spent === null ? '–' : isFinal ? 'Final' : 'Provisional'),
  },
  {
    id: 'budget',
    header: 'Budget',
    align: 'end',
    cell: ({ budget }) => <Money minor={budget} {...unit} />,
  },
  {
    id: 'allowed',
    header: 'Allowed at most',
    align: 'end',
    cell: ({ allowed }) => <Money minor={allowed} {...unit} />,
  },
]

type MarksProps = { days: readonly Day[]; x: Scale; y: Scale; step: number }

/** A bar for each day, below the lines of its budget and of what is allowed. */
function Marks({ days, x, y, step }: MarksProps) {
  const budgets = days.map(({ budget }) => budget)
  const allowed = days.map(({ allowed }) => allowed)
  return (
    <>
      {days.map(({ date, spent, isFinal }, index) =>
        spent === null || spent <= 0 ? null : (
          <rect
            key={date}
            x={x(index) + step * 0.15}
            width={step * 0.7}
            y={y(spent)}
            height={y(0) - y(spent)}
            className={isFinal ? styles.spent : styles.provisional}
          />
        ),
      )}
      <path d={stepsOf(budgets, { x, y })} className={styles.expected} />
      <path d={stepsOf(allowed, { x, y })} className={styles.allowed} />
    </>
  )
}

/** A value that holds for a whole day, so that a change is a step. */
const stepsOf = (values: readonly (number | null)[], { x, y }: { x: Scale; y: Scale }): string =>
  lineOf(
    values.flatMap((value, index) =>
      value === null ? [null] : [[x(index), y(value)] as const, [x(index + 1), y(value)] as const],
    ),
  )
