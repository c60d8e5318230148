import { makeMonths } from '../../../database/upkeep/partitions.ts'
import { insufficientRole, may } from '../../../identity/permissions.ts'
import { change, recordDenial } from '../../../kernel/change.ts'
import { type Context, nowIn, type WriteContext } from '../../../kernel/context.ts'
import { announce } from '../../../kernel/ledger.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import { documentOf } from '../../../problems/document.ts'
import { type Fault, fault } from '../../../problems/fault.ts'
import { checkFaults } from '../../../problems/problem.ts'
import { newId } from '../../../values/ids.ts'
import { memberOf, recordOf } from '../../../values/objects.ts'
import { readTime } from '../../../values/times.ts'
import { dayIn } from '../calendar.ts'
import { admitSources, reportIds } from '../resource.ts'
import {
  type Counts,
  outcomes,
  type RestatedDay,
  type ResultsInput,
  type ResultsReply,
  type ResultsReport,
  type ResultsRestatement,
} from '../schema.ts'
import { netOf } from './decide-day.ts'
import { store } from './store.ts'
import { type Report, type RowsDecided, weighRows } from './weigh.ts'

const rowsPerRequest = 100

/** The number of requests that a report counts as. Runs on an unchecked body. */
export function costOfRows(body: unknown): number {
  const rows = memberOf(body, 'rows')
  return Array.isArray(rows)
    ? Math.min(10, Math.max(1, Math.ceil(rows.length / rowsPerRequest)))
    : 1
}

/** Stores what is newer or better than what there is, and answers for each row what became of it. */
export async function reportResults(ctx: Context, body: ResultsInput): Promise<ResultsReply> {
  if (body.additional) await checkMayAdmit(ctx)
  const report = readReport(ctx, body)
  await makeMonths(ctx.services.database, daysToStore(report))
  return inTransaction(ctx, async (ctx) => {
    const decided = await weighRows(ctx, report)
    const isNews = decided.days.length > 0 || decided.progress.length > 0
    const id = isNews ? await storeReport(ctx, report, decided) : null
    return { id, counts: countsOf(decided.rows), results: outcomesOf(ctx, decided) }
  })
}

async function checkMayAdmit(ctx: Context): Promise<void> {
  if (may(ctx, admitSources)) return
  await recordDenial(ctx, 'results.reported')
  throw insufficientRole(ctx, admitSources.roles)
}

/** A report from the future would make all that follow older. */
const tolerableSkewMs = 5 * 60 * 1000

/** Clients drop these from paths, so such a source could not be deleted. */
const dots = /^\.{1,2}$/

function readReport(ctx: Context, body: ResultsInput): Report {
  const { source, complete_through = null, restate = false, additional = false, rows } = body
  const now = nowIn(ctx)
  const today = dayIn(now)
  const faults: Fault[] = []
  if (dots.test(source)) {
    faults.push(fault('/source', 'invalid_format', 'must not be "." or ".."', { given: source }))
  }
  const read = readTime(body.reported_at, '/reported_at')
  if ('fault' in read) faults.push(read.fault)
  const latest = new Date(Date.parse(now) + tolerableSkewMs).toISOString()
  const reported_at = 'time' in read ? read.time : now
  if (reported_at > latest) {
    const given = { given: body.reported_at }
    faults.push(fault('/reported_at', 'date_in_future', 'must not be in the future', given))
  }
  if (complete_through !== null && complete_through > today(easternmost)) {
    const given = { given: complete_through }
    faults.push(fault('/complete_through', 'date_in_future', 'has not begun anywhere', given))
  }
  checkFaults(ctx, faults)
  return { source, reported_at, complete_through, restate, additional, rows, today }
}

/** The zone in which each day begins first. */
const easternmost = 'Pacific/Kiritimati'

const daysToStore = ({ rows, today }: Report): string[] => {
  const last = today(easternmost)
  return rows.map(({ date }) => date).filter((date) => date <= last)
}

/** One audit record and one event; another event if final days moved. Returns the report's id. */
async function storeReport(
  ctx: WriteContext,
  report: Report,
  decided: RowsDecided,
): Promise<string> {
  const after = reportOf(report, decided)
  await change<ResultsReport>(ctx, 'results.reported', async (ctx) => {
    store(ctx, { source: report.source, ...decided })
    return { before: null, after, toSnapshot: shortened, news: decided.news }
  })
  const { id, source, reported_at } = after
  const restated = restatedDays(decided)
  if (restated.length === 0) return id
  const restatement: ResultsRestatement = {
    id,
    source,
    reported_at,
    day_count: restated.length,
    days: restated.slice(0, maxShown),
  }
  await announce(ctx, 'results.restated', { before: null, after: restatement })
  return id
}

const maxShown = 100

/** Reactions see every campaign, audit log and event the first ones. */
const shortened = (report: ResultsReport): ResultsReport => ({
  ...report,
  campaign_ids: report.campaign_ids.slice(0, maxShown),
})

function reportOf(report: Report, { rows, days, news }: RowsDecided): ResultsReport {
  const dates = days.map(({ date }) => date).sort()
  return {
    id: newId(reportIds),
    source: report.source,
    reported_at: report.reported_at,
    complete_through: report.complete_through,
    counts: countsOf(rows),
    first_date: dates[0] ?? null,
    last_date: dates.at(-1) ?? null,
    campaign_count: news.size,
    campaign_ids: [...news.keys()],
  }
}

const countsOf = (rows: RowsDecided['rows']): Counts =>
  recordOf(outcomes, (name) => rows.filter(({ outcome }) => outcome === name).length)

const restatedDays = ({ days }: RowsDecided): RestatedDay[] =>
  days.flatMap(({ campaign_id, date, currency, before, stored }) => {
    if (!before?.is_final || netOf(before) === netOf(stored)) return []
    const amounts = { spend_minor: netOf(stored), previous_spend_minor: netOf(before) }
    return [{ campaign_id, date, currency, ...amounts }]
  })

function outcomesOf({ request }: Context, { rows }: RowsDecided): ResultsReply['results'] {
  const about = { instance: request?.path ?? '/', requestId: request?.id ?? '' }
  return rows.map(({ outcome, problem }, index) =>
    problem ? { index, outcome, problem: documentOf(problem, about) } : { index, outcome },
  )
}
