import { setImmediate } from 'node:timers/promises'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../../database/tables/types.ts'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/rows.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { documentOf, type ProblemDocument } from '../../../problems/document.ts'
import { maxFaults } from '../../../problems/problem.ts'
import type { Failure } from '../schema.ts'
import { openBody, storedBody } from './bodies.ts'
import { type Expected, isFailed, type OperationOutcome } from './outcomes.ts'
import type { Operation } from './read.ts'

export type OperationRow = Row<'change_set_operations'>

/** Ids sort as the operations run. */
const idOf = (changeSetId: string, index: number) =>
  `${changeSetId}.${String(index).padStart(4, '0')}`

const found = {
  object_id: 'text',
  effect: 'text',
  name: 'text',
  version_seen: 'integer',
  changes: 'jsonb',
  warnings: 'jsonb',
  problem: 'jsonb',
  result: 'jsonb',
  network_check: 'jsonb',
}

const sent = {
  id: 'text',
  change_set_id: 'text',
  index: 'integer',
  resource: 'text',
  op: 'text',
  action: 'text',
  ref: 'text',
  target: 'text',
  version_given: 'integer',
  body: 'text',
  body_sealed: 'text',
}

const recordOf = (columns: Readonly<Record<string, string>>) =>
  `jsonb_to_recordset($2::jsonb) as r (${Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')})`

const columnsAsSent = Object.keys({ ...sent, ...found })

const insertSql = `
  insert into change_set_operations (organization_id, ${columnsAsSent.join(', ')})
  select $1, ${columnsAsSent.map((name) => `r.${name}`).join(', ')}
  from ${recordOf({ ...sent, ...found })}`

const updateSql = `
  update change_set_operations o
  set ${Object.keys(found)
    .map((name) => `${name} = r.${name}`)
    .join(', ')}
  from ${recordOf({ id: 'text', ...found })}
  where o.organization_id = $1 and o.id between $3 and $4 and o.id = r.id`

/** Stores operations with what their trial found. */
export const insertOperations = (
  ctx: WriteContext,
  changeSetId: string,
  outcomes: readonly OperationOutcome[],
): Promise<void> =>
  inSlices(outcomes, (slice) => {
    const rows = slice.map((outcome) => rowIn(ctx, changeSetId, outcome))
    ctx.tx.send(tenantQuery(ctx, insertSql, JSON.stringify(rows)))
  })

function rowIn(ctx: WriteContext, changeSetId: string, outcome: OperationOutcome) {
  const { operation } = outcome
  const { index, resource, op, action, ref, target } = operation
  const id = idOf(changeSetId, index)
  const sent = { id, change_set_id: changeSetId, index, resource, op, action, ref, target }
  const body = storedBody(ctx, id, operation)
  return { ...sent, version_given: operation.version, ...body, ...foundBy(ctx, outcome) }
}

const sliceSize = 100

/** Yields to other requests in between. */
async function inSlices(
  outcomes: readonly OperationOutcome[],
  send: (slice: readonly OperationOutcome[]) => void,
): Promise<void> {
  for (let at = 0; at < outcomes.length; at += sliceSize) {
    if (at > 0) await setImmediate()
    send(outcomes.slice(at, at + sliceSize))
  }
}

/** Stores what another trial, or the application, has found. */
export const updateOperations = (
  ctx: WriteContext,
  changeSetId: string,
  outcomes: readonly OperationOutcome[],
  isApplied = false,
): Promise<void> =>
  inSlices(outcomes, (slice) => {
    const rows = slice.map((outcome) => ({
      id: idOf(changeSetId, outcome.operation.index),
      ...foundBy(ctx, outcome),
      ...(isApplied && {
        network_check: null,
        object_id: isFailed(outcome) ? null : outcome.id,
        result: { status: outcome.status, version: outcome.version, reverted: null, left: null },
      }),
    }))
    // The range, which rows of a slice follow each other in, keeps the join small whatever its plan.
    const ends = [rows.at(0)?.id, rows.at(-1)?.id]
    ctx.tx.send(tenantQuery(ctx, updateSql, JSON.stringify(rows), ...ends))
  })

const problemOf = ({ request }: Context, { problem }: OperationOutcome): ProblemDocument | null =>
  problem && documentOf(problem, { instance: request?.path ?? '/', requestId: request?.id ?? '' })

/** The first failing operations, also for a dry run that stores nothing. */
export const failuresOf = (ctx: Context, outcomes: readonly OperationOutcome[]): Failure[] =>
  outcomes
    .filter(({ problem }) => problem !== null)
    .slice(0, maxFaults)
    .map((outcome) => ({ index: outcome.operation.index, problem: { ...problemOf(ctx, outcome) } }))

/** The columns of an outcome. An object that a trial creates is gone with it, so it has no id. */
function foundBy(ctx: Context, outcome: OperationOutcome) {
  const { operation, effect, id, name, versionSeen, changes, warnings } = outcome
  const isThere = operation.target !== null && !operation.target.startsWith('@')
  return {
    object_id: isThere ? id : null,
    effect,
    name,
    version_seen: versionSeen,
    changes,
    warnings,
    problem: problemOf(ctx, outcome),
    result: null,
    network_check: outcome.networkCheck ?? null,
  }
}

export const storedOperations = (ctx: Context, changeSetId: string): Promise<OperationRow[]> =>
  rowsOf(ctx, 'change_set_operations')
    .where('change_set_id', '=', changeSetId)
    .orderBy('index')
    .select(columnsOf.change_set_operations)
    .execute()

const resultsSql = `
  update change_set_operations o set result = r.result
  from jsonb_to_recordset($2::jsonb) as r (id text, result jsonb)
  where o.organization_id = $1 and o.id = r.id`

export function updateResults(ctx: WriteContext, rows: readonly OperationRow[]): void {
  const results = rows.map(({ id, result }) => ({ id, result }))
  ctx.tx.send(tenantQuery(ctx, resultsSql, JSON.stringify(results)))
}

/** As it was sent. */
export const operationIn = (ctx: Context, row: OperationRow): Operation => ({
  index: row.index,
  resource: row.resource,
  op: row.op,
  action: row.action,
  ref: row.ref,
  target: row.target,
  version: row.version_given,
  body: openBody(ctx, row),
})

/** The expected changes of each operation, by index. */
export const expectedOf = (rows: readonly OperationRow[]): Map<number, Expected> =>
  new Map(rows.map(({ index, changes, effect }) => [index, { changes, effect }]))
