import styles from '../../../charts/chart.module.css'
import { Chart } from '../../../charts/chart.tsx'
import { formatMoney } from '../../../data/values/money.ts'
import { formatDate, formatShortDate } from '../../../data/values/time.ts'
import { type Column, Table } from '../../../ui/lists/table.tsx'
import { Money } from '../../../ui/values/money.tsx'
import { barsIn, useDaysOf } from './days.ts'
import type { ClientPacing } from './figures.ts'

/** Spending of each day of a client’s month, where something was reported. */
export function EachDay({ pacing }: { pacing: ClientPacing }) {
  const { client_id, month, currency, currency_exponent: exponent } = pacing
  const days = barsIn(useDaysOf([client_id], month), pacing)
  const reported = days.filter(({ day }) => day !== undefined)
  if (reported.length === 0) return null
  const sum = reported.reduce((all, { day }) => all + (day?.spent ?? 0), 0)
  return (
    <Chart
      title="Each day"
      summary={`${formatMoney({ minor: sum, currency, exponent })} on ${reported.length} days with data.`}
      labels={days.map(({ date }) => formatShortDate(date))}
      largest={Math.max(1, ...days.map(({ day }) => day?.spent ?? 0))}
      format={(minor) => formatMoney({ minor: Math.round(minor), currency, exponent })}
      legend={legend}
      table={
        <Table
          caption={`Spent each day in ${currency}`}
          rows={reported.map(({ date, day }) => ({ id: date, spent: null, ...day }))}
          columns={columnsIn({ currency, exponent })}
        />
      }
    >
      {({ x, y, step }) =>
        days.map(({ date, day }, at) =>
          day === undefined || day.spent <= 0 ? null : (
            <rect
              key={date}
              x={x(at) + step * 0.15}
              width={step * 0.7}
              y={y(day.spent)}
              height={y(0) - y(day.spent)}
              className={day.isFinal ? styles.spent : styles.provisional}
            />
          ),
        )
      }
    </Chart>
  )
}

const legend = [
  { name: 'Spent', className: styles.spent },
  { name: 'Provisional', className: styles.provisional },
]

type DayLine = { id: string; spent: number | null; isFinal?: boolean }

const columnsIn = (unit: { currency: string; exponent: number }): readonly Column<DayLine>[] => [
  { id: 'date', header: 'Day', cell: ({ id }) => formatDate(id) },
  {
    id: 'spent',
    header: 'Spent',
    align: 'end',
    cell: ({ spent }) => <Money minor={spent} {...unit} />,
  },
  { id: 'state', header: 'State', cell: ({ isFinal }) => (isFinal ? 'Final' : 'Provisional') },
]
