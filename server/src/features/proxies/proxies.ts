import type { Row } from '../../database/tables/tenant-tables.ts'
import { may } from '../../identity/permissions.ts'
import { change } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { readOnlyFaults } from '../../kernel/people.ts'
import { checkCap } from '../../kernel/quotas.ts'
import {
  checkUnused,
  firstStamps,
  insert,
  nextStamps,
  oneOf,
  oneToChange,
  remove,
  update,
} from '../../kernel/rows.ts'
import { showOnce } from '../../kernel/shown-once.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { checkFaults } from '../../problems/problem.ts'
import { anyOf, commonFilters, markFilters } from '../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../query/list.ts'
import { byWords } from '../../query/search/search.ts'
import { byName } from '../../query/sorting.ts'
import { changedFields } from '../../schema/changed-fields.ts'
import { patched } from '../../schema/merge-patch.ts'
import { newId } from '../../values/ids.ts'
import { memberOf } from '../../values/objects.ts'
import { firstCheckAt } from './check-times.ts'
import { openCredentials, openUsername, sealCredentials } from './credentials.ts'
import { type Health, unchecked } from './health.ts'
import { draftFromRow, isOtherTarget, type NormalizedProxy, normalize } from './normalize.ts'
import { cap, proxyIds, readProxyUsernames } from './resource.ts'
import {
  type ProxyChanges,
  type ProxyCredentials,
  type ProxyInput,
  type ProxyReply,
  protocols,
  proxyStatuses,
  readOnlyFields,
} from './schema.ts'

export const proxyList: ListShape<'proxies'> = {
  table: 'proxies',
  filters: {
    ...byWords,
    protocol: anyOf('protocol', { allowed: protocols }),
    status: anyOf('status', { allowed: proxyStatuses }),
    country: anyOf('country'),
    ...markFilters,
    ...commonFilters,
  },
  sorts: ['created_at', 'updated_at', byName],
  wide: ['notes', 'labels', 'metadata'],
}

export const listProxies = (ctx: Context, query: Query): Promise<Page<ProxyReply>> =>
  pageOf(ctx, { list: proxyList, query, present: (row) => toProxy(ctx, row) })

export async function getProxy(ctx: Context, id: string): Promise<ProxyReply> {
  return toProxy(ctx, await oneOf(ctx, 'proxies', id))
}

export async function createProxy(ctx: Context, body: ProxyInput): Promise<ProxyReply> {
  const { username = null, password = null } = body
  return showOnce(ctx, async (ctx) => ({
    kept: await addProxy(ctx, body, { username, password }),
    shown: { username },
  }))
}

const addProxy = (ctx: WriteContext, body: ProxyInput, credentials: ProxyCredentials) =>
  change(ctx, 'proxy.created', async (ctx) => {
    const { normalized, faults } = normalize(body, ctx.services)
    checkFaults(ctx, faults)
    await checkCap(ctx, cap)
    const row = newRow(ctx, normalized, credentials)
    const { status: _, ...columns } = row
    insert(ctx, 'proxies', { ...columns, last_check: null, metadata: JSON.stringify(row.metadata) })
    return { before: null, after: toSnapshot(row), redacted: credentialsOf(credentials) }
  })

const credentialsOf = (credentials: ProxyCredentials): string[] =>
  Object.entries(credentials).flatMap(([field, value]) => (value === null ? [] : [field]))

function newRow(
  ctx: WriteContext,
  normalized: NormalizedProxy,
  credentials: ProxyCredentials,
): Row<'proxies'> {
  const id = newId(proxyIds)
  return {
    organization_id: ctx.organization.id,
    id,
    ...normalized,
    ...sealCredentials(ctx.services.crypto.cipher, id, credentials),
    ...uncheckedIn(ctx),
    status: statusOf(normalized.enabled, unchecked.health),
    ...firstStamps(ctx),
  }
}

/** The health of a proxy that has not been checked yet. */
const uncheckedIn = ({ services }: WriteContext) => ({
  ...unchecked,
  last_check: null,
  next_check_at: firstCheckAt(services),
})

/** Mirrors the generated column. */
export const statusOf = (enabled: boolean, health: Health['health']): Row<'proxies'>['status'] =>
  enabled ? health : 'disabled'

export const updateProxy = (ctx: Context, id: string, given: ProxyChanges): Promise<ProxyReply> =>
  inTransaction(ctx, async (ctx) => {
    const row = await oneToChange(ctx, 'proxies', id)
    const before = toSnapshot(row)
    const { body, faults: mergeFaults } = patched(ctx, before, given)
    const { normalized, faults } = normalize({ ...draftFromRow(row), ...body }, ctx.services, row)
    const stored = openCredentials(ctx.services.crypto.cipher, row)
    const readOnly = readOnlyFields.filter((field) => !isOutdated(field, body, row))
    checkFaults(ctx, [
      ...mergeFaults,
      ...faults,
      ...(await readOnlyFaults(ctx, { before, body, readOnly })),
    ])
    const credentials = credentialsAfter(body, stored, isOtherTarget(row, normalized))
    if (credentials.password === null && stored.password !== null && body.password === undefined) {
      ctx.dryRun?.warnings.push(passwordCleared)
    }
    const redacted = changedFields(stored, credentials)
    const changed = changedFields(row, normalized)
    if (changed.length + redacted.length === 0) return toProxy(ctx, row)
    const changes = changesTo(ctx, row, { normalized, credentials, redacted })
    const merged = { ...row, ...changes }
    const after = { ...merged, status: statusOf(merged.enabled, merged.health) }
    await change(ctx, 'proxy.updated', async (ctx) => {
      update(ctx, 'proxies', { id, ...changes, metadata: JSON.stringify(normalized.metadata) })
      return { before, after: toSnapshot(after), redacted }
    })
    return toProxy(ctx, after)
  })

/**
 * A password belongs to one target: keeping it on a move could send it to a host of someone else's
 * choice.
 */
function credentialsAfter(
  { username, password }: ProxyChanges,
  stored: ProxyCredentials,
  isMoved: boolean,
): ProxyCredentials {
  const kept = isMoved ? null : stored.password
  return {
    username: username === undefined ? stored.username : username,
    password: password === undefined ? kept : password,
  }
}

const passwordCleared = {
  pointer: '/password',
  code: 'password_cleared',
  message: 'is cleared because protocol, host or port changed and it was not sent again',
}

const checkedFields = ['status', 'last_check']

/** Checks make no new version, so a client may send back what it read before one. */
function isOutdated(field: string, body: object, row: Row<'proxies'>): boolean {
  if (!checkedFields.includes(field) || !('last_check' in body)) return false
  const at = memberOf(body.last_check, 'at')
  return row.last_check !== null && row.last_check.at > String(at ?? '')
}

type ProxyChange = {
  normalized: NormalizedProxy
  credentials: ProxyCredentials
  redacted: readonly string[]
}

/**
 * A new target or new credentials reset the health. Otherwise the health columns are left alone: a
 * check may be saving them now.
 */
function changesTo(
  ctx: WriteContext,
  row: Row<'proxies'>,
  { normalized, credentials, redacted }: ProxyChange,
) {
  const isUnchecked = redacted.length > 0 || isOtherTarget(row, normalized)
  return {
    ...normalized,
    ...(redacted.length > 0 && sealCredentials(ctx.services.crypto.cipher, row.id, credentials)),
    ...(isUnchecked && uncheckedIn(ctx)),
    ...nextStamps(ctx, row),
  }
}

export async function deleteProxy(ctx: Context, id: string): Promise<void> {
  await change(ctx, 'proxy.deleted', async (ctx) => {
    const row = await oneToChange(ctx, 'proxies', id)
    await checkUnused(ctx, id, { type: 'profile', table: 'profiles', column: 'proxy_id' })
    remove(ctx, 'proxies', id)
    if (ctx.dryRun) ctx.dryRun.object = toProxy(ctx, row)
    return { before: toSnapshot(row), after: null }
  })
}

export type ProxySnapshot = Omit<ProxyReply, 'username'>

/** Events and the audit log record only that credentials changed; responses show the user name. */
const toProxy = (ctx: Context, row: Row<'proxies'>): ProxyReply => ({
  ...toSnapshot(row),
  username: may(ctx, readProxyUsernames) ? openUsername(ctx.services.crypto.cipher, row) : null,
})

export const toSnapshot = (row: Row<'proxies'>): ProxySnapshot => ({
  id: row.id,
  name: row.name,
  protocol: row.protocol,
  host: row.host,
  port: row.port,
  has_password: row.password_sealed !== null,
  country: row.country,
  enabled: row.enabled,
  status: row.status,
  last_check: row.last_check,
  external_id: row.external_id,
  labels: row.labels,
  metadata: row.metadata,
  notes: row.notes,
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  updated_by: row.updated_by,
})
