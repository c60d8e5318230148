import { sql } from 'kysely'
import type { Row } from '../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../database/tables/types.ts'
import { hashOf, newApiKey } from '../../identity/api-key-text.ts'
import { keyRoles } from '../../identity/permissions.ts'
import { scopeFaults, storedScope } from '../../identity/scope-faults.ts'
import { type Changed, change, checkMayManage, withDenials } from '../../kernel/change.ts'
import { type Context, nowText, type WriteContext } from '../../kernel/context.ts'
import { checkCap } from '../../kernel/quotas.ts'
import {
  firstStamps,
  insert,
  nextStamps,
  oneOf,
  oneToChange,
  rowsOf,
  update,
} from '../../kernel/rows.ts'
import { showOnce } from '../../kernel/shown-once.ts'
import type { Fault } from '../../problems/fault.ts'
import { checkFaults, inThePast, notFound } from '../../problems/problem.ts'
import { anyOf, commonFilters, type Filter } from '../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../query/list.ts'
import { byWordsOfName } from '../../query/search/search.ts'
import { byName } from '../../query/sorting.ts'
import { apiKeyIds } from '../../values/core-ids.ts'
import { newId } from '../../values/ids.ts'
import { readTime } from '../../values/times.ts'
import { normalizeAgent, shownAgent } from './agent.ts'
import { cap } from './resource.ts'
import { type ApiKey, type ApiKeyInput, apiKeyStatuses, type CreatedApiKey } from './schema.ts'

const anyStatus = anyOf('status', { allowed: apiKeyStatuses })

/** The status is derived from the time, not stored. */
const statusAt = (now: string): Filter => ({
  ...anyStatus,
  read(statuses, name, received) {
    const read = anyStatus.read(statuses, name, received)
    if ('fault' in read) return read
    const status = sql`case when expires_at <= ${now} then 'expired' else 'active' end`
    return { condition: sql<boolean>`${status} = any(${statuses}::text[])` }
  },
})

const listAt = (now: string): ListShape<'api_keys'> => ({
  table: 'api_keys',
  filters: {
    ...byWordsOfName,
    role: anyOf('role', { allowed: keyRoles }),
    status: statusAt(now),
    ...commonFilters,
  },
  sorts: ['created_at', 'updated_at', byName],
  standing: () => sql<boolean>`revoked_at is null`,
})

/** The parameters of every list. */
export const apiKeyList = listAt('')

export function listApiKeys(ctx: Context, query: Query): Promise<Page<ApiKey>> {
  const now = nowText(ctx.services)
  return pageOf(ctx, { list: listAt(now), query, present: (row) => toApiKey(row, now) })
}

export async function getApiKey(ctx: Context, id: string): Promise<ApiKey> {
  return toApiKey(active(await oneOf(ctx, 'api_keys', id)), nowText(ctx.services))
}

/** Revoked keys are kept for authentication only. */
export function active(row: Row<'api_keys'>): Row<'api_keys'> {
  if (row.revoked_at !== null) throw notFound()
  return row
}

export async function createApiKey(ctx: Context, body: ApiKeyInput): Promise<CreatedApiKey> {
  const key = newApiKey(ctx.organization.id)
  return withDenials(ctx, 'api_key.created', () =>
    showOnce(ctx, async (ctx) => ({ kept: await addApiKey(ctx, body, key), shown: { key } })),
  )
}

const addApiKey = (ctx: WriteContext, body: ApiKeyInput, key: string): Promise<ApiKey> =>
  change(ctx, 'api_key.created', async (ctx) => {
    const now = nowText(ctx.services)
    const { role, scope = null } = body
    const { expires_at, faults } = normalizeExpiry(body, now)
    const { agent, faults: ofAgent } = normalizeAgent(body)
    checkFaults(ctx, [...faults, ...ofAgent, ...(await scopeFaults(ctx, { role, scope }))])
    checkMayManage(ctx, body, ownersOnly)
    await checkCap(ctx, cap)
    const row = {
      organization_id: ctx.organization.id,
      id: newId(apiKeyIds),
      name: body.name,
      role,
      scope,
      agent,
      ...unstopped,
      key_hash: hashOf(key),
      key_hint: key.slice(-4),
      expires_at,
      last_used_at: null,
      maker_id: ctx.actor.type === 'user' ? ctx.actor.id : null,
      revoked_at: null,
      ...firstStamps(ctx),
    }
    const json = { scope: storedScope(scope), agent: agent && JSON.stringify(agent) }
    insert(ctx, 'api_keys', { ...row, ...json, refusals: JSON.stringify(row.refusals) })
    return { before: null, after: toApiKey(row, now) }
  })

/** Normalized to UTC, as it is shown. */
function normalizeExpiry({ expires_at: text }: ApiKeyInput, now: string) {
  const nothing: Fault[] = []
  if (text === undefined || text === null) return { expires_at: null, faults: nothing }
  const read = readTime(text, '/expires_at')
  if ('fault' in read) return { expires_at: null, faults: [read.fault] }
  const { time } = read
  const late = inThePast('/expires_at', { given: text })
  return { expires_at: time, faults: time <= now ? [late] : nothing }
}

export async function deleteApiKey(ctx: Context, id: string): Promise<void> {
  await withDenials(ctx, 'api_key.revoked', () =>
    change(ctx, 'api_key.revoked', async (ctx) => {
      const row = active(await oneToChange(ctx, 'api_keys', id))
      checkMayManage(ctx, { role: row.role, about: row }, ownersOnly)
      return revoke(ctx, row)
    }),
  )
}

/** Keys lose their rights with the user who created them. */
export async function revokeKeysOf(ctx: WriteContext, userId: string): Promise<void> {
  const rows = await rowsOf(ctx, 'api_keys')
    .where('maker_id', '=', userId)
    .where('revoked_at', 'is', null)
    .select(columnsOf.api_keys)
    .execute()
  for (const row of rows) {
    await change(ctx, 'api_key.revoked', async (ctx) => revoke(ctx, row))
  }
}

function revoke(ctx: WriteContext, row: Row<'api_keys'>): Changed<ApiKey> {
  update(ctx, 'api_keys', { id: row.id, revoked_at: ctx.now, ...nextStamps(ctx, row) })
  return { before: toApiKey(row, nowText(ctx.services)), after: null }
}

const ownersOnly = 'Only an owner may create or delete API keys with the role owner.'

const unstopped = { stopped_at: null, stopped_by: null, stop_reason: null, refusals: [] }

export const toApiKey = (row: Row<'api_keys'>, now: string): ApiKey => ({
  id: row.id,
  name: row.name,
  role: row.role,
  scope: row.scope,
  agent: row.agent && shownAgent(row.agent),
  stopped_at: row.stopped_at,
  key_hint: row.key_hint,
  status: row.expires_at !== null && row.expires_at <= now ? 'expired' : 'active',
  expires_at: row.expires_at,
  last_used_at: row.last_used_at,
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  updated_by: row.updated_by,
})
