import { checkCap } from '../../kernel/caps.ts'
import { change } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { checkFaults } from '../../kernel/errors.ts'
import { anyOf, commonFilters, contains, hasAny } from '../../kernel/filters.ts'
import { newId } from '../../kernel/ids.ts'
import { changedFields, changedReadOnly } from '../../kernel/merge.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../kernel/pages.ts'
import { may } from '../../kernel/permissions.ts'
import { checkUnused } from '../../kernel/references.ts'
import { insert, oneOf, oneToChange, type Row, remove, update } from '../../kernel/rows.ts'
import { firstStamps, nextStamps } from '../../kernel/stamps.ts'
import { inTransaction } from '../../kernel/transactions.ts'
import { openCredentials, openUsername, sealCredentials } from './credentials.ts'
import {
  type ProxyChanges,
  type ProxyCredentials,
  type ProxyInput,
  type ProxyReply,
  protocols,
  proxyStatuses,
  readOnlyFields,
} from './schema.ts'
import { isOtherTarget, movedPasswordFaults, type Settled, settle, wishOf } from './settle.ts'

export const proxyList: ListShape<'proxies'> = {
  table: 'proxies',
  filters: {
    q: contains('name'),
    protocol: anyOf('protocol', protocols),
    status: anyOf('status', proxyStatuses),
    country: anyOf('country'),
    label: hasAny('labels'),
    ...commonFilters,
  },
  sorts: ['created_at', 'updated_at', 'name'],
}

export const listProxies = (ctx: Context, query: Query): Promise<Page<ProxyReply>> =>
  pageOf(ctx, { list: proxyList, query, present: (row) => toProxy(ctx, row) })

export async function getProxy(ctx: Context, id: string): Promise<ProxyReply> {
  return toProxy(ctx, await oneOf(ctx, 'proxies', id))
}

/** The user name joins the reply outside the transaction: what is kept for a replay has none. */
export async function createProxy(ctx: Context, body: ProxyInput): Promise<ProxyReply> {
  const { username = null, password = null } = body
  const created = await inTransaction(ctx, async (ctx) => ({
    ...(await addProxy(ctx, body, { username, password })),
    username: null,
  }))
  return { ...created, username }
}

const addProxy = (ctx: WriteContext, body: ProxyInput, credentials: ProxyCredentials) =>
  change(ctx, 'proxy.created', async (ctx) => {
    const { settled, faults } = settle(body, ctx.services.config)
    checkFaults(ctx, faults)
    await checkCap(ctx, 'proxies')
    const row = newRow(ctx, settled, credentials)
    const { status: _, ...columns } = row
    insert(ctx, 'proxies', { ...columns, last_check: null, metadata: JSON.stringify(row.metadata) })
    return { before: null, after: toSnapshot(row), redacted: givenOf(credentials) }
  })

const givenOf = (credentials: ProxyCredentials): string[] =>
  Object.entries(credentials).flatMap(([field, value]) => (value === null ? [] : [field]))

function newRow(
  ctx: WriteContext,
  settled: Settled,
  credentials: ProxyCredentials,
): Row<'proxies'> {
  const id = newId('proxy')
  return {
    organization_id: ctx.organization.id,
    id,
    ...settled,
    ...sealCredentials(ctx.services.cipher, id, credentials),
    health: 'unchecked',
    status: statusOf(settled.enabled, 'unchecked'),
    last_check: null,
    ...firstStamps(ctx),
  }
}

/** As the generated column has it. */
const statusOf = (enabled: boolean, health: string) => (enabled ? health : 'disabled')

export const updateProxy = (ctx: Context, id: string, body: ProxyChanges): Promise<ProxyReply> =>
  inTransaction(ctx, async (ctx) => {
    const row = await oneToChange(ctx, 'proxies', id)
    const before = toSnapshot(row)
    const { settled, faults } = settle({ ...wishOf(row), ...body }, ctx.services.config, row)
    const stored = openCredentials(ctx.services.cipher, row)
    const moved = isOtherTarget(row, settled) ? movedPasswordFaults(stored, body) : []
    checkFaults(ctx, [...faults, ...moved, ...changedReadOnly(before, body, readOnlyFields)])
    const { username = stored.username, password = stored.password } = body
    const credentials = { username, password }
    const redacted = changedFields(stored, credentials)
    const changed = changedFields<Settled>(row as Settled, settled)
    if (changed.length + redacted.length === 0) return toProxy(ctx, row)
    const after = changedRow(ctx, row, { settled, credentials, redacted })
    await change(ctx, 'proxy.updated', async (ctx) => {
      write(ctx, after)
      return { before, after: toSnapshot(after), redacted }
    })
    return toProxy(ctx, after)
  })

type Wanted = { settled: Settled; credentials: ProxyCredentials; redacted: readonly string[] }

/** Another target or other credentials make what was checked before worthless. */
function changedRow(
  ctx: WriteContext,
  row: Row<'proxies'>,
  { settled, credentials, redacted }: Wanted,
): Row<'proxies'> {
  const isUnchecked = redacted.length > 0 || isOtherTarget(row, settled)
  const health = isUnchecked ? 'unchecked' : row.health
  const sealed = redacted.length > 0 && sealCredentials(ctx.services.cipher, row.id, credentials)
  return {
    ...row,
    ...settled,
    ...sealed,
    health,
    status: statusOf(settled.enabled, health),
    last_check: isUnchecked ? null : row.last_check,
    ...nextStamps(ctx, row),
  }
}

function write(ctx: WriteContext, row: Row<'proxies'>): void {
  const { organization_id: _, status: __, last_check, metadata, ...columns } = row
  update(ctx, 'proxies', {
    ...columns,
    last_check: last_check === null ? null : JSON.stringify(last_check),
    metadata: JSON.stringify(metadata),
  })
}

export async function deleteProxy(ctx: Context, id: string): Promise<void> {
  await change(ctx, 'proxy.deleted', async (ctx) => {
    const row = await oneToChange(ctx, 'proxies', id)
    await checkUnused(ctx, id, { type: 'profile', table: 'profiles', column: 'proxy_id' })
    remove(ctx, 'proxies', id)
    return { before: toSnapshot(row), after: null }
  })
}

/** Audit log and events tell of credentials only that they changed; replies show the user name. */
const toProxy = (ctx: Context, row: Row<'proxies'>): ProxyReply => ({
  ...toSnapshot(row),
  username: may(ctx.role, 'proxies.read_usernames') ? openUsername(ctx.services.cipher, row) : null,
})

const toSnapshot = (row: Row<'proxies'>): Omit<ProxyReply, 'username'> => ({
  id: row.id,
  name: row.name,
  protocol: row.protocol as ProxyReply['protocol'],
  host: row.host,
  port: row.port,
  has_password: row.password_sealed !== null,
  country: row.country,
  enabled: row.enabled,
  status: row.status as ProxyReply['status'],
  last_check: row.last_check as ProxyReply['last_check'],
  labels: row.labels,
  metadata: row.metadata as Record<string, string>,
  notes: row.notes,
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  updated_by: row.updated_by,
})
