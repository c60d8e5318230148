import { queryOptions, useQueries } from '@tanstack/react-query'
import { type Spark, type SparkDay, sparkOf, sparkWidth } from '../../../charts/spark.ts'
import { now } from '../../../data/clock.ts'
import { addDays, ownZone, wallOf } from '../../../data/values/time.ts'
import { flightdeck } from '../../../flightdeck.ts'
import { type ClientPacing, chunksOf } from './figures.ts'

const bars = { width: 3, step: 4 }
const mostDays = 31

/** The same for all months. */
export const width = sparkWidth(mostDays, bars)

type DayRow = {
  groups: readonly { key: string | null }[]
  currency: string
  spend_minor: number | null
  adjustment_minor: number | null
  is_final: boolean | null
}

const fields = ['groups', 'currency', 'spend_minor', 'adjustment_minor', 'is_final'] as const

const readAgainMs = 60_000

const daysOf = (ids: readonly string[], month: string) =>
  queryOptions({
    // Not with each event of results: these are many rows.
    queryKey: ['days of clients', ids, month],
    queryFn: async (): Promise<readonly DayRow[]> =>
      flightdeck.results
        .list({
          group_by: ['client', 'day'],
          client_id: [...ids],
          from: `${month}-01`,
          to: firstAfter(month),
          fields: [...fields],
          limit: 100,
        })
        .toArray({ limit: ids.length * mostDays * 2 }),
    refetchInterval: readAgainMs,
    enabled: month !== '',
  })

const firstAfter = (month: string): string => `${addDays(`${month}-01`, 31).slice(0, 7)}-01`

/** The spending of some clients on each day of a month. */
export const useDaysOf = (ids: readonly string[], month: string) =>
  useQueries({
    queries: chunksOf(ids).map((chunk) => daysOf(chunk, month)),
    combine: (answers) =>
      Map.groupBy(
        answers.flatMap(({ data = [] }) => data),
        (row) => keyOf(row.groups[0]?.key ?? '', row.currency),
      ),
  })

export type DaysOfClients = ReturnType<typeof useDaysOf>

/** Results are grouped by the name of a client. */
const keyOf = (client: string, currency: string): string => `${client} ${currency}`

type ReportedDay = { date: string; day: SparkDay }

/** Each day of the month until today. */
export function barsIn(
  days: DaysOfClients,
  { client, currency, month }: ClientPacing,
): ReportedDay[] {
  const rows = days.get(keyOf(client, currency)) ?? []
  const byDate = new Map(rows.map((row) => [row.groups[1]?.key, dayIn(row)]))
  return datesOf(month).map((date) => ({ date, day: byDate.get(date) }))
}

/** A bar for each of them; null where there is nothing. */
export function sparkIn(days: DaysOfClients, pacing: ClientPacing): Spark | null {
  const shown = barsIn(days, pacing)
  const dates = shown.map(({ date }) => date)
  const { currency, currency_exponent: exponent } = pacing
  return sparkOf(
    shown.map(({ day }) => day),
    bars,
    { dates, currency, exponent },
  )
}

function dayIn({ spend_minor, adjustment_minor, is_final }: DayRow): SparkDay {
  if (spend_minor === null) return undefined
  return { spent: spend_minor + (adjustment_minor ?? 0), isFinal: is_final === true }
}

/** The days of a month, of the present one until today. */
function datesOf(month: string): readonly string[] {
  const today = wallOf(now(), ownZone).slice(0, 10)
  const all = Array.from({ length: mostDays }, (_, at) => addDays(`${month}-01`, at))
  return all.filter((date) => date.startsWith(month) && date <= today)
}
