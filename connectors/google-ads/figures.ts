import type { Access, Days, ResultRow } from '../kit/src/connect.ts'
import { search } from './calls/ask.ts'
import { areIds, queries } from './calls/queries.ts'
import { figuresIn, windowIn } from './calls/rows.ts'
import { isFinalOn } from './mapping/finality.ts'
import { roundedMinorOf, roundedMinorOfUnits } from './mapping/money.ts'

/** Figures of days. Conversions count for the day of their click, and come until their window has ended. */

/** The standard window, where no action says it. */
const standardWindow = 30
/** After the window, for conversions that are counted or corrected late. */
const lateDays = 3
const keptMs = 24 * 3_600_000

/** By this process’s clock; windows are changed rarely, and asked for once a day. */
const windows = new WeakMap<Access, { days: number; until: number }>()

/** How many days back figures may still change: the longest window of the account’s conversion actions. */
export async function openDaysOf(access: Access): Promise<number> {
  const known = windows.get(access)
  if (known && performance.now() < known.until) return known.days
  const found = (await search(access, queries.conversionWindows)).map(windowIn)
  const longest = Math.max(0, ...found.map((days) => days ?? 0))
  const days = (longest === 0 ? standardWindow : longest) + lateDays
  windows.set(access, { days, until: performance.now() + keptMs })
  return days
}

const perQuery = 1_000

export async function* resultsOf(
  access: Access,
  ids: readonly string[],
  days: Days,
): AsyncIterable<ResultRow> {
  const { currency, time_zone } = access.profile
  if (currency === null || !areIds(ids)) return
  const openDays = await openDaysOf(access)
  for (let at = 0; at < ids.length; at += perQuery) {
    const some = ids.slice(at, at + perQuery)
    if (!areIds(some)) continue
    for (const row of (await search(access, queries.results(some, days))).map(figuresIn)) {
      const { costMicros, conversions, conversionsValue, ...figures } = row
      yield {
        ...figures,
        spend_minor: roundedMinorOf(costMicros, currency),
        // A conversion may be shared by several campaigns.
        conversions: conversions === null ? null : Math.round(conversions * 1e6) / 1e6,
        conversion_value_minor: roundedMinorOfUnits(conversionsValue, currency),
        is_final: isFinalOn(figures.date, { openDays, time_zone, now: Date.now() }),
      }
    }
  }
}
