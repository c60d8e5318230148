import type { Status } from '../../features/campaigns/lifecycle/transitions.ts'
import type { Campaign } from '../../features/campaigns/schema.ts'
import { reportResults } from '../../features/results/report/report.ts'
import type { ResultRow } from '../../features/results/schema.ts'
import { type Context, nowIn } from '../../kernel/context.ts'
import { daysOfResults } from './data.ts'

const rowsPerReport = 1_000

/** A campaign that has run, and the network that it runs on. */
export type Ran = { campaign: Campaign; platform: string; number: number }

const reported: readonly Status[] = ['active', 'paused', 'completed', 'archived']

/** Fills the days up to today; those of the last three are not final. Returns how many. */
export async function fillResults(ctx: Context, all: readonly Ran[]): Promise<number> {
  const ran = all.filter(({ campaign }) => reported.includes(campaign.status))
  const now = nowIn(ctx)
  let count = 0
  for (const [source, group] of Map.groupBy(ran, ({ platform }) => platform)) {
    const rows = group.flatMap((each) => rowsOf(each, now))
    for (let at = 0; at < rows.length; at += rowsPerReport) {
      const some = rows.slice(at, at + rowsPerReport)
      await reportResults(ctx, { source, reported_at: now, rows: some })
    }
    count += rows.length
  }
  return count
}

/** Some spend as planned, some too little, some too much: by their number. */
const courses = [1, 0.98, 1.02, 0.74, 1, 1.16, 0.99]
/** From Monday to Sunday. */
const weekdays = [1.04, 1.03, 1.01, 1, 1.02, 0.96, 0.94]

function rowsOf({ campaign, number }: Ran, now: string): ResultRow[] {
  const local = Temporal.Instant.from(now).toZonedDateTimeISO(campaign.time_zone)
  const today = local.toPlainDate()
  const budget = campaign.daily_budget ?? 0
  const rows: ResultRow[] = []
  for (let ago = daysSince(campaign, today); ago >= 0; ago -= 1) {
    const date = today.subtract({ days: ago })
    const share = ago === 0 ? (local.hour + 1) / 24 : 1
    const planned = budget * (courses[number % courses.length] ?? 1)
    const weekday = weekdays[date.dayOfWeek - 1] ?? 1
    const spend = planned * weekday * (0.95 + chance(number, ago) / 10) * share
    rows.push({
      campaign_id: campaign.id,
      date: date.toString(),
      ...figuresOf(spend, campaign),
      is_final: ago > 3,
    })
  }
  return rows
}

function daysSince({ start_at }: Campaign, today: Temporal.PlainDate): number {
  if (start_at === null) return daysOfResults - 1
  const started = Temporal.PlainDate.from(start_at.slice(0, 10))
  return Math.min(daysOfResults - 1, started.until(today, { largestUnit: 'days' }).days)
}

/** Prices as they are on a large network: 8 for a thousand impressions, 1 of 40 clicks, 1 of 25 buys. */
function figuresOf(spend: number, { currency_exponent, objective }: Campaign) {
  const scale = 10 ** currency_exponent
  const unit = currency_exponent === 0 ? 150 : 1
  const impressions = Math.round((spend / unit / 8) * 1_000)
  const clicks = Math.round(impressions / 40)
  const conversions = objective === 'awareness' ? null : Math.round((clicks / 25) * 10) / 10
  const value = conversions === null ? null : Math.round(conversions * 42 * unit * scale) / scale
  const rounded = Math.round(spend * scale) / scale
  return { spend: rounded, impressions, clicks, conversions, conversion_value: value }
}

/** The same each time, between 0 and 1. */
function chance(number: number, day: number): number {
  const value = Math.sin(number * 12.9898 + day * 78.233) * 43_758.5453
  return value - Math.floor(value)
}
