import { sql } from 'kysely'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../../database/tables/types.ts'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { nowIn } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/rows.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import { documentOf } from '../../../problems/document.ts'
import { type Fault, fault } from '../../../problems/fault.ts'
import { invalid, invalidReference, notFound, type Problem } from '../../../problems/problem.ts'
import type { Campaign } from '../../campaigns/schema.ts'
import { writeBeside } from '../beside.ts'
import { campaignsOf } from '../campaign.ts'
import { changeDeployment, type DeploymentFacts, isNews, withState } from '../change.ts'
import { facingNetwork } from '../follow.ts'
import type { DeploymentRow } from '../present.ts'
import { networkObjectTaken } from '../refusals.ts'
import { settingsFaults } from '../settings.ts'
import { noteAccount } from './account.ts'
import { noteChecks } from './checks.ts'
import { eventOf, factsOf, untilNextTry } from './decide.ts'
import { type HeldLease, held, lockHeld } from './lease.ts'
import type { ReportInput, ReportResult, ReportsInput, ReportsReply } from './report-schema.ts'
import { isInventoryWanted } from './wanted.ts'

/** Takes what a connector reports of its accounts and deployments. */
export async function takeReports(ctx: Context, body: ReportsInput): Promise<ReportsReply> {
  const holding = await held(ctx, body)
  const connection = connectionIn(holding.connections, body)
  await noteAccount(ctx, holding, { connection, body })
  const results = await takeAll(ctx, holding, body)
  if (body.checks) await noteChecks(ctx, holding, body.checks)
  if (!body.account || !connection) return { results }
  return { results, inventory_wanted: await isInventoryWanted(ctx, connection) }
}

async function takeAll(
  ctx: Context,
  holding: HeldLease,
  body: ReportsInput,
): Promise<ReportResult[]> {
  const known = await knownOf(ctx, holding, body.reports)
  const decided = body.reports.map((report) => decide(ctx, known, report))
  const isAnyNews = decided.some((each) => 'next' in each && isNews(each.row, each.next))
  if (!isAnyNews) {
    await noteQuietly(ctx, holding, decided)
    return decided.map((each, index) => resultOf(ctx, each, index))
  }
  return inTransaction(ctx, async (ctx) => {
    await lockHeld(ctx, ctx.tx, holding)
    return takeTogether(ctx, await knownOf(ctx, holding, body.reports), body.reports)
  })
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

/** Rows that the reports are about, read at once; kept up to date as they are taken. */
type Known = {
  rows: Map<string, DeploymentRow>
  campaigns: ReadonlyMap<string, Campaign>
  /** By account and object: the deployment that has it. */
  objects: Map<string, string>
}

const objectKey = ({ profile_id }: DeploymentRow, objectId: string) => `${profile_id} ${objectId}`

async function knownOf(
  ctx: Context,
  { connections }: HeldLease,
  reports: readonly ReportInput[],
): Promise<Known> {
  const ids = reports.map(({ deployment_id }) => deployment_id)
  const named = reports.flatMap(({ network_object_id }) => network_object_id ?? [])
  const profileIds = connections.map(({ id }) => id)
  const found = await rowsOf(ctx, 'deployments')
    .where(sql<boolean>`profile_id = any(${profileIds})
      and (id = any(${ids}) or network_object_id = any(${named}))`)
    .select(columnsOf.deployments)
    .execute()
  const rows = found.filter(({ id }) => ids.includes(id))
  const objects = found.flatMap((row): [string, string][] =>
    row.network_object_id === null ? [] : [[objectKey(row, row.network_object_id), row.id]],
  )
  const campaigns = await campaignsOf(
    ctx,
    rows.map(({ campaign_id }) => campaign_id),
  )
  return { rows: new Map(rows.map((row) => [row.id, row])), campaigns, objects: new Map(objects) }
}

type Decided = { report: ReportInput } & (
  | { row: DeploymentRow; facts: DeploymentFacts; next: DeploymentRow }
  | { problem: Problem }
)

function decide(ctx: Context, known: Known, report: ReportInput): Decided {
  const row = known.rows.get(report.deployment_id)
  const campaign = known.campaigns.get(row?.campaign_id ?? '')
  if (!row || !campaign || row.state === 'removed') return { report, problem: notFound() }
  const faults = faultsOf(row, report)
  if (faults.length > 0) return { report, problem: invalid(faults) }
  const objectId = report.network_object_id ?? null
  const owner = objectId === null ? row.id : known.objects.get(objectKey(row, objectId))
  if (owner !== undefined && owner !== row.id) return { report, problem: networkObjectTaken() }
  const now = nowIn(ctx)
  const reported = factsOf({ row, report, now })
  const facts = { ...reported, ...followed({ ...row, ...reported }, campaign, now) }
  const next = withState(row, facts, now)
  const later = untilNextTry({ row, report, now }, next)
  const all = { ...facts, ...later }
  return { report, row, facts: all, next: withState(row, all, now) }
}

function faultsOf(row: DeploymentRow, report: ReportInput): Fault[] {
  const { generation, outcome, network_object_id, observed } = report
  const newest = { limit: row.generation }
  const isDone = outcome === 'applied' || outcome === 'unchanged'
  const isUnnamed = (network_object_id ?? row.network_object_id) === null
  return [
    ...(generation > row.generation
      ? [fault('/generation', 'out_of_range', 'is newer than the newest', newest)]
      : []),
    ...(isDone && isUnnamed
      ? [fault('/network_object_id', 'required', 'is required of what has none yet')]
      : []),
    ...settingsFaults(observed?.settings, '/observed/settings'),
  ]
}

/** Another coverage means other values that the network should have. */
const followed = (next: DeploymentRow, campaign: Campaign, now: string): DeploymentFacts =>
  next.state === 'removed'
    ? {}
    : facingNetwork(next, { campaign, accountRef: next.account_ref }, now)

async function takeTogether(ctx: WriteContext, known: Known, reports: readonly ReportInput[]) {
  const results: ReportResult[] = []
  for (const [index, report] of reports.entries()) {
    const decided = decide(ctx, known, report)
    if ('next' in decided) await store(ctx, known, decided)
    results.push(resultOf(ctx, decided, index))
  }
  return results
}

type Change = { row: DeploymentRow; facts: DeploymentFacts; next: DeploymentRow }

/** That an object became known is an event of its own, before what became of it. */
async function store(ctx: WriteContext, known: Known, { row, facts, next }: Change): Promise<void> {
  const { network_object_id, network_url } = next
  if (network_object_id === null || network_object_id === row.network_object_id) {
    known.rows.set(row.id, await storeChange(ctx, { row, facts, next }))
    return
  }
  const binding = { network_object_id, network_url, intent: null }
  const bound = await changeDeployment(ctx, 'deployment.bound', { row, facts: binding, ...heldBy })
  known.objects.set(objectKey(row, network_object_id), row.id)
  const after = withState(bound.row, facts, ctx.now)
  known.rows.set(row.id, await storeChange(ctx, { row: bound.row, facts, next: after }))
}

/** A connector reports of what it holds. */
const heldBy = { isStale: false }

async function storeChange(
  ctx: WriteContext,
  { row, facts, next }: Change,
): Promise<DeploymentRow> {
  if (isNews(row, next))
    return (await changeDeployment(ctx, eventOf(row, next), { row, facts, ...heldBy })).row
  ctx.tx.send(quietStatement(ctx, [{ row, next }]))
  return next
}

// A row that changed since it was read keeps what was written.
const quietSql = `
  update deployments d set attempts = q.attempts, retry_at = q.retry_at, work_at = q.work_at,
    last_seen_at = q.last_seen_at, intent = q.intent::jsonb
  from unnest($2::text[], $3::bigint[], $4::integer[], $5::timestamptz[], $6::timestamptz[],
    $7::timestamptz[], $8::text[])
    as q (id, version, attempts, retry_at, work_at, last_seen_at, intent)
  where d.organization_id = $1 and d.id = q.id and d.version = q.version`

const quietStatement = (ctx: Context, all: readonly Pick<Change, 'row' | 'next'>[]) =>
  tenantQuery(
    ctx,
    quietSql,
    all.map(({ row }) => row.id),
    all.map(({ row }) => row.version),
    all.map(({ next }) => next.attempts),
    all.map(({ next }) => next.retry_at),
    all.map(({ next }) => next.work_at),
    all.map(({ next }) => next.last_seen_at),
    all.map(({ next }) => next.intent && JSON.stringify(next.intent)),
  )

/** Reports that say nothing new are noted beside the audit log, as attempts of deliveries are. */
async function noteQuietly(
  ctx: Context,
  holding: HeldLease,
  decided: readonly Decided[],
): Promise<void> {
  const quiet = decided.flatMap((each) => ('next' in each ? [each] : []))
  if (quiet.length === 0) return
  // The last of several reports of one holds.
  const last = new Map(quiet.map((each) => [each.row.id, each]))
  await writeBeside(ctx, async (tx) => {
    await lockHeld(ctx, tx, holding)
    tx.send(quietStatement(ctx, [...last.values()]))
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
