import type { Context } from '../../../kernel/context.ts'
import { fault } from '../../../problems/fault.ts'
import { invalid, Problem } from '../../../problems/problem.ts'
import { daysAfter } from '../calendar.ts'
import type { SpendNews } from '../resource.ts'
import type { ReportOutcome, ResultRow } from '../schema.ts'
import { type Day, decide } from './decide-day.ts'
import { newsOf } from './news.ts'
import { type ReadRow, readRow } from './read-row.ts'
import type { DayChange } from './store.ts'
import { campaignsOf, dayKeyOf, type Progress, progressOf, storedDays } from './stored.ts'

/** A report whose own fields are checked. */
export type Report = {
  readonly source: string
  readonly reported_at: string
  readonly complete_through: string | null
  readonly restate: boolean
  readonly additional: boolean
  readonly rows: readonly ResultRow[]
  /** Today in a time zone, by the clock of the organization. */
  readonly today: (timeZone: string) => string
}

type RowDecided = { readonly outcome: ReportOutcome; readonly problem?: Problem }

export type RowsDecided = {
  readonly rows: readonly RowDecided[]
  /** The days to store. */
  readonly days: readonly DayChange[]
  readonly progress: readonly Progress[]
  /** How many campaigns the source has not reported before. */
  readonly newCampaigns: number
  /** The changes for each campaign. */
  readonly news: ReadonlyMap<string, SpendNews>
}

/** Decides each row; those that fail leave the others as they are. */
export async function weighRows(ctx: Context, report: Report): Promise<RowsDecided> {
  const find = await campaignsOf(ctx, report.rows)
  const read = report.rows.map((row, index) => readRow(row, find, { index, today: report.today }))
  const days = read.flatMap((row) =>
    'faults' in row ? [] : [{ campaign_id: row.campaign.id, date: row.date }],
  )
  const ids = [...new Set(days.map(({ campaign_id }) => campaign_id))]
  const [stored, sources] = await Promise.all([
    storedDays(ctx, { source: report.source, days }),
    progressOf(ctx, ids),
  ])
  const facts = { report, stored, sources }
  const tally: Tally = { seen: new Set(), days: [], newest: new Map() }
  const rows = read.map((row, index) => weighRow({ ...row, index }, facts, tally))
  const { days: changed } = tally
  const progress = progressAfter(facts, tally)
  const newCampaigns = progress.filter((each) => !isKnown(sources, each)).length
  const news = newsOf({ days: changed, progress, sources })
  return { rows, days: changed, progress, newCampaigns, news }
}

const isKnown = (sources: WeighingFacts['sources'], { campaign_id, source }: Progress) =>
  sources.get(campaign_id)?.some((each) => each.source === source) ?? false

type WeighingFacts = {
  report: Report
  stored: ReadonlyMap<string, Day>
  sources: ReadonlyMap<string, readonly Progress[]>
}

/** The rows so far, summed up. */
type Tally = {
  seen: Set<string>
  days: DayChange[]
  /** The newest day of each campaign, and today there. */
  newest: Map<string, { date: string; today: string }>
}

function weighRow(
  row: ReadRow & { index: number },
  facts: WeighingFacts,
  tally: Tally,
): RowDecided {
  if ('faults' in row) return failed(invalid(row.faults))
  const { campaign, date, figures, index } = row
  const { report } = facts
  const key = dayKeyOf({ campaign_id: campaign.id, date })
  if (tally.seen.has(key)) return failed(invalid([duplicate(index)]))
  tally.seen.add(key)
  const others = facts.sources.get(campaign.id) ?? []
  if (isTaken(report, others)) return failed(taken(index, others))
  const before = facts.stored.get(key)
  const is_final = report.rows[index]?.is_final ?? report.restate
  const day = { ...figures, is_final, reported_at: report.reported_at }
  const decision = decide(before, day, report.restate)
  if (decision.outcome === 'row_final') return failed(isFinal(index))
  if ('stored' in decision && decision.stored) {
    const { id: campaign_id, currency, profile_id, labels } = campaign
    const { stored } = decision
    tally.days.push({ campaign_id, currency, profile_id, labels, date, before, stored })
  }
  const newest = tally.newest.get(campaign.id)?.date ?? date
  const today = report.today(campaign.time_zone)
  tally.newest.set(campaign.id, { date: newest > date ? newest : date, today })
  return { outcome: decision.outcome }
}

const failed = (problem: Problem): RowDecided => ({ outcome: 'failed', problem })

const duplicate = (index: number) =>
  fault(`/rows/${index}`, 'duplicate_item', 'is a day of the campaign that an earlier row has')

const isTaken = ({ source, additional }: Report, known: readonly Progress[]) =>
  !additional && known.length > 0 && known.every((each) => each.source !== source)

function taken(index: number, known: readonly Progress[]): Problem {
  const allowed = known.map(({ source }) => source)
  const message = `The results of the campaign come from ${allowed.join(', ')}.`
  const code = 'results_source_taken'
  const faults = [fault(`/rows/${index}`, code, 'comes from another source', { allowed })]
  return new Problem(code, message, { faults })
}

function isFinal(index: number): Problem {
  const faults = [fault(`/rows/${index}`, 'row_final', 'is a final day with other figures')]
  return new Problem('row_final', 'The day is final: correct it by a restatement.', { faults })
}

/** Never back: reports of older days follow those of newer ones. */
function progressAfter({ report, sources }: WeighingFacts, { newest }: Tally): Progress[] {
  const { source, reported_at } = report
  const dates = new Set([...newest.values()].map(({ date }) => date))
  const daysBefore = new Map([...dates].map((date) => [date, daysAfter(date, -1)]))
  return [...newest].flatMap(([campaign_id, { date, today }]) => {
    const known = sources.get(campaign_id)?.find((each) => each.source === source)
    const complete = earlier(report.complete_through ?? daysBefore.get(date) ?? today, today)
    const after = {
      campaign_id,
      source,
      reported_at: later(known?.reported_at, reported_at),
      complete_through: later(known?.complete_through, complete),
    }
    const isSame =
      after.reported_at === known?.reported_at && after.complete_through === known.complete_through
    return isSame ? [] : [after]
  })
}

const later = (one: string | undefined, other: string) =>
  one !== undefined && one > other ? one : other
const earlier = (one: string, other: string) => (one < other ? one : other)
