import type { Type } from 'typebox'
import { hostOf } from '../../../identity/logins/networks.ts'
import { throttled } from '../../../identity/logins/throttled.ts'
import type { BareContext, Services } from '../../../kernel/context.ts'
import { actAsSystem, type Context } from '../../../kernel/context.ts'
import { privateCounter } from '../../../limits/counters/private-counter.ts'
import { accountOf } from '../../../values/email.ts'
import { domainOf } from '../normalize.ts'
import type { SsoPlace } from '../schema.ts'
import { type StoredSso, storedSso } from '../stored.ts'

const domainSql = 'select organization_id from proved_domains where domain = $1'

/** The domain of an address; undefined for what is no address. */
export function domainIn(email: string): string | undefined {
  const account = accountOf(email)
  const at = account.lastIndexOf('@')
  return at < 1 ? undefined : domainOf(account.slice(at + 1))
}

export type SsoOf = { readonly ctx: Context; readonly row: StoredSso; readonly domain: string }

/** The organization that has proved the domain of the address, with its settings. */
export async function placeOf(
  { services, reader }: BareContext,
  email: string,
): Promise<SsoOf | undefined> {
  const domain = domainIn(email)
  if (domain === undefined) return undefined
  const [found] = await reader.query<{ organization_id: string }>({
    sql: domainSql,
    parameters: [domain],
  })
  const ctx = found && (await actAsSystem(services, found.organization_id, 'single sign-on'))
  const row = ctx && (await storedSso(ctx))
  return row && { ctx, row, domain }
}

/** Says whether the domain has single sign-on, and nothing of people. */
export async function whereToLogIn(
  ctx: BareContext,
  email: string,
): Promise<Type.Static<typeof SsoPlace>> {
  await refuseFlood(ctx.services, ctx.request?.ip)
  const place = await placeOf(ctx, email)
  if (!place) return { available: false, enforced: false, issuer: null, start_url: null }
  const query = new URLSearchParams({ email: accountOf(email) })
  return {
    available: true,
    enforced: place.row.enforced,
    issuer: place.row.issuer,
    start_url: `${ctx.services.config.publicUrl}/api/v1/auth/sso/start?${query}`,
  }
}

/** From one address, as each may ask a provider. */
const most = { limit: 60, seconds: 60 }

export async function refuseFlood(services: Services, ip = ''): Promise<void> {
  const counter = privateCounter(services, { name: 'single sign-on', seconds: most.seconds })
  const { used, msLeft } = await counter.take(hostOf(ip), { limit: most.limit })
  if (used > most.limit) throw throttled(msLeft)
}
