/**
 * Spends like a network would, for demos and for sandboxes with a clock of their own:
 * `node simulator.ts [--days 60] [--source simulator]`. Run it again after the clock has moved: days
 * that were not over get their last figures. The same campaign and day always get the same ones.
 */
import { parseArgs } from 'node:util'
import { isProblem, type ResultRow, type Schema } from '@flightdeckhq/sdk'
import { flightdeck, report } from './connect.ts'

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '60' },
    source: { type: 'string', default: 'simulator' },
  },
})

const now = await currentTime()
const rows: ResultRow[] = []
for await (const campaign of flightdeck.campaigns.list({ status: 'active' })) {
  rows.push(...daysOf(campaign))
}
await report({ source: values.source, reportedAt: now, rows })

/** That of the sandbox, if it is one that the token may read. */
async function currentTime(): Promise<Date> {
  try {
    return new Date((await flightdeck.sandbox.get()).now)
  } catch (error) {
    const isOther = isProblem(error, 'not_a_sandbox') || isProblem(error, 'insufficient_role')
    if (!isOther) throw error
    return new Date()
  }
}

function daysOf(campaign: Schema<'Campaign'>): ResultRow[] {
  const local = Temporal.Instant.from(now.toISOString()).toZonedDateTimeISO(campaign.time_zone)
  const started = campaign.start_at ?? campaign.launched_at ?? campaign.created_at
  const first = Temporal.Instant.from(started).toZonedDateTimeISO(campaign.time_zone).toPlainDate()
  return Array.from({ length: Number(values.days) }, (_, ago) => ago).flatMap((ago) => {
    const date = local.toPlainDate().subtract({ days: ago })
    if (Temporal.PlainDate.compare(date, first) < 0) return []
    const shareOfDay = ago === 0 ? (local.hour * 60 + local.minute) / 1_440 : 1
    return [rowOf(campaign, date.toString(), { shareOfDay, is_final: ago > 3 })]
  })
}

type Progress = { shareOfDay: number; is_final: boolean }

/** 90 to 115 % of what is planned for a day, more on some days and less on others. */
function rowOf(
  campaign: Schema<'Campaign'>,
  date: string,
  { shareOfDay, is_final }: Progress,
): ResultRow {
  const { id, currency_exponent } = campaign
  const chance = chanceOf(`${id} ${date}`)
  const minor = Math.floor(plannedMinor(campaign) * (0.9 + chance * 0.25) * shareOfDay)
  const impressions = Math.floor((minor / 10 ** currency_exponent) * (90 + chance * 60))
  const clicks = Math.floor(impressions * (0.01 + chance * 0.02))
  const spend = (minor / 10 ** currency_exponent).toFixed(currency_exponent)
  return {
    campaign_id: id,
    date,
    spend,
    impressions,
    clicks,
    conversions: Math.floor(clicks / 20),
    is_final,
  }
}

/** Without a daily budget: a thirtieth of all. */
function plannedMinor({ daily_budget_minor, lifetime_budget_minor }: Schema<'Campaign'>): number {
  return daily_budget_minor ?? (lifetime_budget_minor ?? 0) / 30
}

/** From 0 to 1, always the same for the same text (FNV-1a). */
function chanceOf(text: string): number {
  let hash = 2_166_136_261
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 16_777_619)
  return (hash >>> 0) / 2 ** 32
}
