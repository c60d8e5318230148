import { sql } from 'kysely'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../../database/tables/types.ts'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { nowIn } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/rows.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import { documentOf } from '../../../problems/document.ts'
import {
  fault,
  invalid,
  invalidReference,
  notFound,
  type Problem,
} from '../../../problems/problem.ts'
import { writeBeside } from '../beside.ts'
import { campaignOf } from '../campaign.ts'
import { changeDeployment, type DeploymentFacts, isNews, withState } from '../change.ts'
import { facingNetwork } from '../follow.ts'
import type { DeploymentRow } from '../present.ts'
import { networkObjectTaken } from '../refusals.ts'
import { noteAccount } from './account.ts'
import { eventOf, factsOf } from './decide.ts'
import { connectionsOf, heldLease } from './lease.ts'
import type { ReportInput, ReportResult, ReportsInput } from './report-schema.ts'

/** Takes what a connector reports of its accounts and deployments. */
export async function takeReports(
  ctx: Context,
  body: ReportsInput,
): Promise<{ results: ReportResult[] }> {
  const held = await connectionsOf(ctx, await heldLease(ctx, body))
  const connection = connectionIn(held, body)
  await noteAccount(ctx, connection, body)
  const ids = held.map(({ id }) => id)
  const wanted = body.reports.map(({ deployment_id }) => deployment_id)
  const rows = await rowsFor(ctx, ids, wanted)
  const decided = await Promise.all(body.reports.map((report) => decide(ctx, rows, report)))
  const isAnyNews = decided.some((each) => 'next' in each && isNews(each.row, each.next))
  if (!isAnyNews) {
    await noteQuietly(ctx, decided)
    return { results: decided.map((each, index) => resultOf(ctx, each, index)) }
  }
  return inTransaction(ctx, (ctx) => takeTogether(ctx, ids, body.reports))
}

/** The connection that account and credential are of. */
function connectionIn(
  held: readonly Row<'connections'>[],
  { profile_id = null, account, credential }: ReportsInput,
): Row<'connections'> | undefined {
  const [only, ...others] = held
  if (profile_id === null) {
    if (others.length > 0 && (account || credential)) {
      throw invalid([
        fault('/profile_id', 'required', 'is required where the lease has several accounts'),
      ])
    }
    return others.length === 0 ? only : undefined
  }
  const named = held.find(({ id }) => id === profile_id)
  if (!named) throw invalid([invalidReference('/profile_id', profile_id)])
  return named
}

async function rowsFor(ctx: Context, profileIds: readonly string[], ids: readonly string[]) {
  const rows = await rowsOf(ctx, 'deployments')
    .where(sql<boolean>`id = any(${ids}) and profile_id = any(${profileIds})`)
    .select(columnsOf.deployments)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

type Decided = { report: ReportInput } & (
  | { row: DeploymentRow; facts: DeploymentFacts; next: DeploymentRow }
  | { problem: Problem }
)

async function decide(
  ctx: Context,
  rows: ReadonlyMap<string, DeploymentRow>,
  report: ReportInput,
): Promise<Decided> {
  const row = rows.get(report.deployment_id)
  if (!row || row.state === 'removed') return { report, problem: notFound() }
  if (report.generation > row.generation) {
    const ahead = fault('/generation', 'out_of_range', 'is newer than the newest', {
      limit: row.generation,
    })
    return { report, problem: invalid([ahead]) }
  }
  const now = nowIn(ctx)
  const reported = factsOf({ row, report, now })
  const facts = { ...reported, ...(await followedBy(ctx, { ...row, ...reported }, now)) }
  return { report, row, facts, next: withState(row, facts, now) }
}

/** Another coverage means other values that the network should have. */
async function followedBy(
  ctx: Context,
  next: DeploymentRow,
  now: string,
): Promise<DeploymentFacts> {
  if (next.state === 'removed') return {}
  const campaign = await campaignOf(ctx, next.campaign_id)
  return facingNetwork(next, { campaign, accountRef: next.account_ref }, now)
}

async function takeTogether(
  ctx: WriteContext,
  profileIds: readonly string[],
  reports: readonly ReportInput[],
) {
  const results: ReportResult[] = []
  for (const [index, report] of reports.entries()) {
    const rows = await rowsFor(ctx, profileIds, [report.deployment_id])
    const decided = await decide(ctx, rows, report)
    const taken = 'next' in decided && (await isTaken(ctx, decided.row, decided.next))
    const outcome = taken ? { report, problem: networkObjectTaken() } : decided
    if ('next' in outcome) await store(ctx, outcome)
    results.push(resultOf(ctx, outcome, index))
  }
  return { results }
}

async function isTaken(ctx: Context, row: DeploymentRow, next: DeploymentRow): Promise<boolean> {
  if (next.network_object_id === null || next.network_object_id === row.network_object_id)
    return false
  const other = await rowsOf(ctx, 'deployments')
    .where(sql<boolean>`profile_id = ${row.profile_id} and id <> ${row.id}
      and network_object_id = ${next.network_object_id}`)
    .select('id')
    .executeTakeFirst()
  return other !== undefined
}

/** That an object became known is an event of its own, before what became of it. */
async function store(
  ctx: WriteContext,
  { row, facts, next }: Extract<Decided, { row: DeploymentRow }>,
) {
  const { network_object_id, network_url } = next
  if (network_object_id === null || network_object_id === row.network_object_id) {
    await storeChange(ctx, { row, facts, next })
    return
  }
  const binding = { network_object_id, network_url, intent: null }
  await changeDeployment(ctx, 'deployment.bound', { row, facts: binding })
  const bound = (await rowsFor(ctx, [row.profile_id], [row.id])).get(row.id)
  if (bound) await storeChange(ctx, { row: bound, facts, next: withState(bound, facts, ctx.now) })
}

type Change = { row: DeploymentRow; facts: DeploymentFacts; next: DeploymentRow }

async function storeChange(ctx: WriteContext, { row, facts, next }: Change): Promise<void> {
  if (isNews(row, next)) await changeDeployment(ctx, eventOf(row, next), { row, facts })
  else ctx.tx.send(quietStatement(ctx, row, next))
}

// A row that changed since it was read keeps what was written.
const quietSql = `
  update deployments set attempts = $4, retry_at = $5, work_at = $6, last_seen_at = $7, intent = $8
  where organization_id = $1 and id = $2 and version = $3`

const quietStatement = (ctx: Context, row: DeploymentRow, next: DeploymentRow) =>
  tenantQuery(
    ctx,
    quietSql,
    ...[row.id, row.version, next.attempts, next.retry_at, next.work_at, next.last_seen_at],
    next.intent && JSON.stringify(next.intent),
  )

/** Reports that say nothing new are noted beside the audit log, as attempts of deliveries are. */
async function noteQuietly(ctx: Context, decided: readonly Decided[]): Promise<void> {
  const quiet = decided.flatMap((each) => ('next' in each ? [each] : []))
  if (quiet.length === 0) return
  await writeBeside(ctx, async (tx) => {
    for (const { row, next } of quiet) tx.send(quietStatement(ctx, row, next))
  })
}

function resultOf({ request }: Context, decided: Decided, index: number): ReportResult {
  const { deployment_id } = decided.report
  if ('problem' in decided) {
    const { problem } = decided
    const place = { instance: request?.path ?? '/', requestId: request?.id ?? '' }
    return { index, status: problem.status, deployment_id, problem: documentOf(problem, place) }
  }
  const { state, generation } = decided.next
  return { index, status: 200, deployment_id, state, generation }
}
