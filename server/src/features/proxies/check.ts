import type { Row } from '../../database/tables/tenant-tables.ts'
import { audited, change } from '../../kernel/change.ts'
import type { Context, Services, WriteContext } from '../../kernel/context.ts'
import { checkVersion, oneOf, oneToChange, update } from '../../kernel/rows.ts'
import { showOnce } from '../../kernel/shown-once.ts'
import { throwIfReplayed } from '../../kernel/transaction.ts'
import { nextCheckAt } from './check-times.ts'
import { openCredentials, openUsername } from './credentials.ts'
import { healthAfter } from './health.ts'
import { isOtherTarget } from './normalize.ts'
import type { ProbeResult } from './probe/probe.ts'
import { type ProxySnapshot, statusOf, toSnapshot } from './proxies.ts'
import type { ProxyReply } from './schema.ts'

/** Makes one request through the proxy, outside any transaction, then saves the result. */
export async function checkProxy(ctx: Context, id: string): Promise<ProxyReply> {
  await throwIfReplayed(ctx)
  const probed = await oneOf(ctx, 'proxies', id)
  checkVersion(ctx, probed.version)
  const finding = await probeProxy(ctx.services, probed)
  return showOnce(ctx, async (ctx) => {
    const row = await oneToChange(ctx, 'proxies', id)
    const kept = isSameAccess(probed, row)
      ? await saveResult(ctx, row, finding)
      : await audited(ctx, checkedEntry(row), async () => toSnapshot(row))
    return { kept, shown: { username: openUsername(ctx.services.crypto.cipher, row) } }
  })
}

/** Loaded on the first check: the HTTP client behind the egress guard takes 30 MB. */
export async function probeProxy(
  { config, crypto: { cipher }, egress: { ownAddresses } }: Services,
  row: Row<'proxies'>,
  signal?: AbortSignal,
): Promise<ProbeResult> {
  const { probe } = await import('./probe/probe.ts')
  const { protocol, host, port } = toSnapshot(row)
  const access = { protocol, host, port, ...openCredentials(cipher, row) }
  const settings = {
    checkUrl: config.proxyCheckUrl,
    allowed: config.egressAllow,
    own: ownAddresses,
  }
  return probe(access, settings, signal)
}

/** A result does not apply if the proxy's target or credentials changed during the check. */
export const isSameAccess = (one: Row<'proxies'>, other: Row<'proxies'>): boolean =>
  !isOtherTarget(one, other) &&
  one.username_sealed === other.username_sealed &&
  one.password_sealed === other.password_sealed

/** The row after a check: health is not part of its version. */
export function rowAfter(
  row: Row<'proxies'>,
  finding: ProbeResult,
  { now, services }: { now: string; services: Services },
): Row<'proxies'> {
  const health = healthAfter(row, finding.ok)
  return {
    ...row,
    ...health,
    status: statusOf(row.enabled, health.health),
    last_check: { at: now, ...finding },
    next_check_at: nextCheckAt(services),
  }
}

/** Emits an event if the status changes; otherwise only the audit log records the check. */
export async function saveResult(
  ctx: WriteContext,
  row: Row<'proxies'>,
  finding: ProbeResult,
): Promise<ProxySnapshot> {
  const after = rowAfter(row, finding, ctx)
  if (after.status === row.status) {
    return audited(ctx, checkedEntry(row), async (ctx) => write(ctx, after))
  }
  return change(ctx, 'proxy.health_changed', async (ctx) => ({
    before: toSnapshot(row),
    after: write(ctx, after),
  }))
}

const checkedEntry = ({ id, name }: Row<'proxies'>) => ({
  action: 'proxy.checked',
  resource: { type: 'proxy', id, name },
})

function write(ctx: WriteContext, row: Row<'proxies'>): ProxySnapshot {
  update(ctx, 'proxies', {
    id: row.id,
    health: row.health,
    consecutive_failures: row.consecutive_failures,
    consecutive_successes: row.consecutive_successes,
    last_check: JSON.stringify(row.last_check),
    next_check_at: row.next_check_at,
  })
  return toSnapshot(row)
}
