import { isOpen, quarterMs, wallOf } from './hours.ts'
import {
  newest,
  nowIn,
  type SimAccount,
  type SimCampaign,
  type SimState,
  type SimValues,
} from './state.ts'

/** Spend follows budget and hours: a day's budget is spent evenly over its 24 hours. */

const secondsOfDay = 86_400
/** A lifetime budget without a daily one is spread over this long. */
const spreadDays = 30
/** Time that was not looked at for longer is not counted up in steps. */
const longestMs = 400 * 24 * 3_600_000

/** Counts up to now what a campaign has run. Call it before its values change. */
export function countUp(state: SimState, account: SimAccount, campaign: SimCampaign): void {
  const now = nowIn(state)
  const { values } = newest(campaign)
  const from = Math.max(campaign.countedTo, now - longestMs)
  campaign.countedTo = Math.max(campaign.countedTo, now)
  if (values === null || values.status !== 'ENABLED' || account.status !== 'ACTIVE') return
  for (let at = from; at < now; ) {
    const next = Math.min(now, (Math.floor(at / quarterMs) + 1) * quarterMs)
    countStep(account, campaign, { values, at, seconds: Math.round((next - at) / 1_000) })
    at = next
  }
}

type Step = { values: SimValues; at: number; seconds: number }

function countStep(account: SimAccount, campaign: SimCampaign, { values, at, seconds }: Step) {
  if (!isOpen(values, at, account.time_zone)) return
  const { daily_budget_minor: daily, lifetime_budget_minor: lifetime } = values
  const budget = daily ?? Math.floor((lifetime ?? 0) / spreadDays)
  const left = lifetime === null ? Number.POSITIVE_INFINITY : lifetime - spentIn(campaign)
  if (left <= 0) return
  const { date } = wallOf(at, account.time_zone)
  const ran = campaign.ran[date] ?? 0
  // A day is never spent twice, though the clock of its zone may show an hour twice.
  const most = budget * secondsOfDay
  campaign.ran[date] = Math.min(
    Math.max(most, ran),
    ran + budget * seconds,
    ran + left * secondsOfDay,
  )
}

const spentOn = (ran: number) => Math.floor(ran / secondsOfDay)

const spentIn = ({ ran }: SimCampaign): number =>
  Object.values(ran).reduce((sum, each) => sum + spentOn(each), 0)

export type ReportRow = {
  campaign_id: string
  date: string
  spend_minor: number
  impressions: number
  clicks: number
  conversions: number
  conversion_value_minor: number
  is_final: boolean
}

/** Days after which all conversions of a day have come; until then they come in equal parts. */
const conversionDays = 2
/** Each conversion is worth as much. */
const valueMinor = 5_000

type Span = { from: string; to: string; today: string }

const daysBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / (secondsOfDay * 1_000)

/** The figures of a campaign's days, the last one included. */
export function reportOf(campaign: SimCampaign, { from, to, today }: Span): ReportRow[] {
  return Object.entries(campaign.ran)
    .filter(([date]) => date >= from && date <= to)
    .map(([date, ran]) => {
      const spend_minor = spentOn(ran)
      const clicks = Math.floor(spend_minor / 40)
      const age = Math.min(daysBetween(date, today), conversionDays)
      const conversions = Math.floor((clicks * (age + 1)) / (20 * (conversionDays + 1)))
      return {
        ...{ campaign_id: campaign.id, date, spend_minor, impressions: spend_minor * 2, clicks },
        ...{ conversions, conversion_value_minor: conversions * valueMinor },
        is_final: age >= conversionDays,
      }
    })
    .toSorted((a, b) => (a.date < b.date ? -1 : 1))
}
