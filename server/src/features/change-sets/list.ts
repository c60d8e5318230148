import { sql } from 'kysely'
import { Type } from 'typebox'
import { may } from '../../identity/permissions.ts'
import { type Context, nowIn } from '../../kernel/context.ts'
import { oneOf } from '../../kernel/rows.ts'
import { shows } from '../../query/fields.ts'
import {
  anyOf,
  choiceOf,
  commonFilters,
  type Filter,
  refused,
  valuesOf,
} from '../../query/filters.ts'
import {
  filterParameters,
  joinedPageOf,
  type ListShape,
  listParameters,
  type Page,
  type Query,
} from '../../query/list.ts'
import { badParameters } from '../../query/parameters.ts'
import { inAnyText, inId } from '../../query/search/places.ts'
import { wordsIn } from '../../query/search/search.ts'
import { actions } from '../campaigns/lifecycle/transitions.ts'
import { changeables } from './operations/changeables.ts'
import { besideOperations } from './operations/evidence.ts'
import type { OperationRow } from './operations/rows.ts'
import type { ChangeSetOperation } from './operations/schema.ts'
import { presentAll } from './present.ts'
import { type ChangeSet, sourceKinds } from './schema.ts'
import { staleIn } from './stale/stale.ts'
import { isLiving, statusAt, statuses } from './status.ts'

/** Change sets with an operation on the campaign. */
const withCampaign: Filter = {
  schema: Type.String({ description: 'Those with an operation on this campaign.' }),
  read: ([id]) => ({
    condition: sql<boolean>`exists (
      select from change_set_operations o
      where o.organization_id = change_sets.organization_id and o.change_set_id = change_sets.id
        and o.object_id = ${id})`,
  }),
}

const waitsFor = {
  apply: sql<boolean>`(ended_at is null and status = 'scheduled')`,
  revert: sql<boolean>`(ended_at is null and status = 'applied')`,
}

export const changeSetList: ListShape<'change_sets'> = {
  table: 'change_sets',
  filters: {
    q: wordsIn('the title, or six characters or more of the id', {
      places: [inAnyText(sql.ref('title')), inId],
      text: sql.ref('title'),
    }),
    status: anyOf('status', { allowed: statuses }),
    created_by: anyOf('created_by'),
    source: anyOf('source_kind', { allowed: sourceKinds }),
    campaign_id: withCampaign,
    waits_for: choiceOf(['apply', 'revert'], {
      description: 'What the clock is still to do: apply it, or set it back.',
      conditionOf: (what) => waitsFor[what],
    }),
    ...commonFilters,
  },
  sorts: ['created_at', 'updated_at'],
  wide: ['description', 'summary', 'spend_delta'],
}

export async function listChangeSets(ctx: Context, query: Query): Promise<Page<ChangeSet>> {
  checkAuthors(ctx, query)
  return joinedPageOf(ctx, {
    list: changeSetList,
    query,
    presentAll: (rows) => presentAll(ctx, rows),
  })
}

/** Agents see nothing of people: of authors they may ask for themselves alone. */
function checkAuthors({ agent, actor }: Context, { created_by }: Query): void {
  if (!agent || created_by === undefined) return
  const others = valuesOf(changeSetList.filters.created_by ?? {}, created_by)
  if (others.every((id) => id === actor.id)) return
  const { fault } = refused('created_by', 'invalid_enum_value', {
    message: 'must be the agent’s own key',
    allowed: [actor.id],
  })
  throw badParameters([fault])
}

/** A filter, which ties a cursor to one change set. */
const ofChangeSet: Filter = {
  schema: Type.String(),
  read: ([id]) => ({ condition: sql<boolean>`change_set_id = ${id}` }),
}

const ofCampaign: Filter = {
  schema: Type.String({ description: 'Those on this campaign.' }),
  read: ([id]) => ({ condition: sql<boolean>`object_id = ${id}` }),
}

const operationList: ListShape<'change_set_operations'> = {
  table: 'change_set_operations',
  filters: { change_set_id: ofChangeSet, campaign_id: ofCampaign },
  sorts: ['index'],
  wide: ['body', 'body_sealed', 'changes', 'warnings', 'problem', 'result', 'network_check'],
}

const { cursor, limit, include_total } = listParameters(operationList)

/** In the order in which they run, a hundred at a time. */
export const operationParameters = {
  ...filterParameters({ campaign_id: ofCampaign }),
  cursor,
  limit: { ...limit, default: 100 },
  include_total,
}

export async function listOperations(
  ctx: Context,
  id: string,
  query: Query,
): Promise<Page<ChangeSetOperation>> {
  const changeSet = await oneOf(ctx, 'change_sets', id)
  const isJudged = isLiving(statusAt(changeSet, nowIn(ctx)))
  return joinedPageOf(ctx, {
    list: operationList,
    query: { limit: '100', ...query, sort: 'index', change_set_id: id },
    presentAll: async (rows) => {
      const [staleOf, besideOf] = await Promise.all([
        staleIn(ctx, isJudged ? [id] : []),
        besideOperations(ctx, isBesideAsked(query) ? rows : []),
      ])
      const stale = new Map(staleOf(id).map((each) => [each.index, each]))
      return rows.map((row) => ({
        ...toOperation(ctx, row),
        network_check: mayRead(ctx, row) ? checkIn(row, isJudged) : null,
        ...(mayRead(ctx, row) ? besideOf(row) : nothingBeside),
        stale: stale.get(row.index) ?? null,
      }))
    },
  })
}

const isBesideAsked = (query: Query) => shows(query, 'client') || shows(query, 'evidence')

const nothingBeside = { client: null, evidence: null }

const mayRead = (ctx: Context, row: OperationRow) => may(ctx, changeables[row.resource].read)

type ShownOperation = Omit<
  ChangeSetOperation,
  'stale' | 'network_check' | keyof typeof nothingBeside
>

/** Without what the reader may not read of the object. */
function toOperation(ctx: Context, row: OperationRow): ShownOperation {
  const isShown = mayRead(ctx, row)
  return {
    id: row.object_id,
    index: row.index,
    resource: row.resource,
    op: row.op,
    action: actions.find((each) => each === row.action) ?? null,
    ref: row.ref,
    target: row.target?.startsWith('@') ? row.target : null,
    name: isShown ? row.name : null,
    effect: row.effect,
    version_seen: row.version_seen,
    changes: isShown ? row.changes : [],
    body: isShown && row.body !== null ? JSON.parse(row.body) : null,
    warnings: row.warnings,
    problem: row.problem,
    result: row.result,
  }
}

/** The network is asked no more once the change set has ended. */
function checkIn({ network_check }: OperationRow, isJudged: boolean) {
  if (network_check === null || (network_check.outcome === 'open' && !isJudged)) return null
  const { desired: _, ...shown } = network_check
  return shown
}
