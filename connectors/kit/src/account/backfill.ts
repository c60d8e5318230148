import type { Account } from './account.ts'
import type { Progress } from './progress.ts'
import { dayIn, dayMs, linkedIn, sendResults } from './results.ts'

/** The results of months ago, on request: from today back, some days of some campaigns at a time. */

export type Backfill = {
  months: number
  progress: Progress
  /** Between two steps: an account’s quota is not spent at once. */
  stepMs: number
}

const daysPerStep = 10
/** As many campaigns as networks take in a query. */
const campaignsPerStep = 1_000

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10)

/** The same day of a month before, or the first days of the month after where it has none. */
function monthsBefore(day: string, months: number): string {
  const date = new Date(day)
  date.setUTCMonth(date.getUTCMonth() - months)
  return date.toISOString().slice(0, 10)
}

/** Sends the next days that are missing; answers whether there are more. */
export async function backfillStep(
  account: Account,
  { months, progress }: Backfill,
): Promise<boolean> {
  const { facts, profile, log } = account
  if (facts === null) return false
  const today = dayIn(facts.time_zone, Date.now())
  const first = monthsBefore(today, months)
  const tomorrow = dayBefore(today, -1)
  const all = partsOf(linkedIn(account)).map((part) => ({
    ...part,
    oldest: progress.oldest(profile.id, part.key) ?? tomorrow,
  }))
  const missing = all.filter(({ oldest }) => oldest > first)
  // Campaigns that have come least far go first, until all are as far.
  const newest = missing.reduce((day, { oldest }) => (oldest > day ? oldest : day), '')
  const some = missing.filter(({ oldest }) => oldest === newest).slice(0, campaignsPerStep)
  if (some.length === 0) return false
  const from = [dayBefore(newest, daysPerStep), first].toSorted().at(-1) ?? first
  const linked = new Map(some.flatMap(({ ids, campaign }) => ids.map((id) => [id, campaign])))
  await sendResults(account, linked, { from, to: dayBefore(newest, 1) })
  await progress.note(
    profile.id,
    some.map(({ key }) => key),
    from,
  )
  log.info('results of before were sent', { campaigns: some.length, from })
  return from > first || missing.length > some.length
}

type Part = { key: string; campaign: string; ids: string[] }

/** Campaigns with all of their ids. One that gets another id is sent once more, with the days of both. */
const partsOf = (linked: ReadonlyMap<string, string>): Part[] =>
  [...Map.groupBy(linked, ([, campaign]) => campaign)].map(([campaign, pairs]) => {
    const ids = pairs.map(([id]) => id).toSorted()
    return { key: [campaign, ...ids].join(' '), campaign, ids }
  })
