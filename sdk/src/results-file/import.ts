import type { Body, Flightdeck } from '../client.ts'
import { type RowOutcome, reportAll } from '../report.ts'
import { type CampaignFacts, ownIdIn } from './campaigns.ts'
import { type Checked, checkRows, type Day, type Reading, type RowFault } from './check.ts'
import type { Columns } from './fields.ts'
import type { ResultsFile } from './open.ts'
import { cellAt } from './totals.ts'

type Client = Pick<Flightdeck, 'campaigns' | 'results'>

/** The parts of a report that hold for all rows together. */
export type Report = Omit<Body<'reportResults'>, 'rows' | 'restate'> & {
  /** No day of the file will change any more. */
  final?: boolean
  /** Corrects days that are final: all, or those of these lines. */
  restate?: boolean | ReadonlySet<number>
}

type Outcome = RowOutcome['outcome']
export type Counts = Readonly<Partial<Record<Outcome, number>>>

/** The result of rows that were sent, or would be; an error ended it early. */
export type Sent = {
  readonly counts: Counts
  readonly faults: readonly RowFault[]
  /** Days that are stored, or could be. */
  readonly days: readonly Day[]
  readonly error: unknown
}

export type Trial = Checked & { readonly counts: Counts; readonly error: unknown }

/** Finds the campaigns, and tries every row; nothing is stored. */
export async function tryResults(
  client: Client,
  file: ResultsFile,
  { reading, report }: { reading: Reading; report: Report },
): Promise<Trial> {
  const campaigns = await campaignsFor(client, file, reading.columns)
  const checked = checkRows(file, reading, campaigns)
  const about = { file, columns: reading.columns }
  const tried = await send(client, report, { days: checked.days, about, dryRun: true })
  const faults = [...checked.faults, ...tried.faults].sort((one, other) => one.line - other.line)
  return { ...checked, faults, days: tried.days, counts: tried.counts, error: tried.error }
}

type About = { file: ResultsFile; columns: Columns }

/** Stores days that were tried; some may be refused that could be stored before. */
export const storeResults = (
  client: Client,
  report: Report,
  { days, ...about }: About & { days: readonly Day[] },
): Promise<Sent> => send(client, report, { days, about, dryRun: false })

const mostCampaigns = 200_000
const idsInQuery = 100

/** The campaigns that the file may mean: by our ids, if each row has one, else all. */
async function campaignsFor(
  { campaigns }: Client,
  file: ResultsFile,
  columns: Columns,
): Promise<CampaignFacts[]> {
  const places = [columns.campaign_id, columns.external_id, columns.campaign_name]
  const named = file.rows.map((row) =>
    places.map((at) => ownIdIn(cellAt(row, at))).find((id) => id !== undefined),
  )
  const query = {
    include_archived: true,
    fields: ['id', 'name', 'external_id', 'currency'] as const,
  }
  const ids = [...new Set(named)].filter((id) => id !== undefined)
  if (named.includes(undefined)) {
    return campaigns.list({ ...query, limit: 100 }).toArray({ limit: mostCampaigns })
  }
  const found: CampaignFacts[] = []
  for (let at = 0; at < ids.length; at += idsInQuery) {
    const id = ids.slice(at, at + idsInQuery)
    found.push(
      ...(await campaigns.list({ ...query, id, limit: 100 }).toArray({ limit: idsInQuery })),
    )
  }
  return found
}

type Sending = { days: readonly Day[]; about: About; dryRun: boolean }

async function send(client: Client, report: Report, sending: Sending): Promise<Sent> {
  const { restate = false, final = false, ...envelope } = report
  const isRestated = ({ line }: Day) => (typeof restate === 'boolean' ? restate : restate.has(line))
  const sent = { counts: new Map<Outcome, number>(), faults: [], days: [], error: null }
  for (const restates of [false, true]) {
    const days = sending.days.filter((day) => isRestated(day) === restates)
    const rows = days.map(({ row }) => (final ? { is_final: true, ...row } : row))
    const outcomes = reportAll(client, { ...envelope, restate: restates }, rows, {
      dryRun: sending.dryRun,
    })
    const error = await collect(outcomes, days, { sent, about: sending.about })
    if (error !== null) return shown({ ...sent, error })
  }
  return shown(sent)
}

type Collected = {
  counts: Map<Outcome, number>
  faults: RowFault[]
  days: Day[]
  error: unknown
}

const shown = ({ counts, ...sent }: Collected): Sent => ({
  ...sent,
  counts: Object.fromEntries(counts),
})

/** Answers the error that ended it; null at the end. */
async function collect(
  outcomes: AsyncIterable<RowOutcome>,
  days: readonly Day[],
  { sent, about }: { sent: Collected; about: About },
): Promise<unknown> {
  try {
    for await (const outcome of outcomes) {
      const day = days[outcome.index]
      if (!day) continue
      if (outcome.outcome === 'failed') sent.faults.push(...faultsOf(outcome, day, about))
      else {
        sent.days.push(day)
        sent.counts.set(outcome.outcome, (sent.counts.get(outcome.outcome) ?? 0) + 1)
      }
    }
  } catch (error) {
    return error
  }
  return null
}

type RowProblem = {
  code: string
  detail: string
  errors: { pointer?: string; message: string }[]
}

const isProblem = (problem: unknown): problem is RowProblem =>
  typeof problem === 'object' && problem !== null && 'errors' in problem && 'detail' in problem

/** The refusals of the service, by line and column of the file. */
function faultsOf({ problem }: RowOutcome, day: Day, { file, columns }: About): RowFault[] {
  const { line, cells, campaign } = day
  const whole = { line, column: null, value: null, campaign: campaign.name }
  if (!isProblem(problem)) return [{ ...whole, message: 'was refused', code: 'failed' }]

  return problem.errors.map(({ pointer = '', message }) => {
    const field = pointer.split('/')[3] ?? ''
    const at = Object.entries(columns).find(([name]) => name === field)?.[1]
    const { code, detail } = problem
    if (at === undefined) return { ...whole, message: field === '' ? detail : message, code }
    const column = file.header.cells[at]?.trim() ?? field
    return { ...whole, column, value: cells[at]?.trim() ?? null, message, code }
  })
}
