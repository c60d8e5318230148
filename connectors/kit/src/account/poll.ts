import { FlightdeckError } from '@flightdeckhq/sdk'
import type { AccountFacts, Seen } from '../contract/adapter.ts'
import type { NetworkFault } from '../contract/fault.ts'
import type { Held } from '../lease/lease.ts'
import { said } from '../telemetry/log.ts'
import type { Account, ReportInput } from './account.ts'
import { aboutSeen, reportOf } from './report.ts'
import { sendReports, textOf } from './sent.ts'

/** Looks at the whole account: what it is, and all that it holds. One listing, whatever is deployed. */
export async function pollAccount(account: Account, held: Held): Promise<void> {
  const facts = await account.adapter.account(account.access)
  await reportAccount(account, held, facts)
  account.facts = isAsExpected(account, facts) ? facts : null
  if (facts.status !== 'active') return
  await takeInventory(account, held, facts)
  await sendReports(account, held, differences(account))
  account.metrics.set('last_poll_timestamp_seconds', Date.now() / 1_000, {
    profile: account.profile.id,
  })
}

/** Nothing is sent to an account other than the profile's, whatever the service says. */
function isAsExpected({ profile, log }: Account, facts: AccountFacts): boolean {
  const differs = (['currency', 'time_zone'] as const).filter(
    (field) => profile[field] !== null && profile[field] !== facts[field],
  )
  for (const field of differs)
    log.warn('the account is not as its profile says: nothing is sent', {
      field,
      profile: profile[field],
      account: facts[field],
    })
  return differs.length === 0 && facts.status === 'active'
}

const soonMs = 14 * 24 * 3_600_000

async function reportAccount(
  { flightdeck, profile }: Account,
  held: Held,
  { credentialExpiresAt: expires_at, ...facts }: AccountFacts,
): Promise<void> {
  const isEnding = expires_at !== null && Date.parse(expires_at) - Date.now() < soonMs
  await flightdeck.connector.reportWork({
    ...held.named(),
    profile_id: profile.id,
    account: facts,
    credential: { state: isEnding ? 'expiring' : 'valid', expires_at },
    reports: [],
  })
}

/** Reports that the credential does not work: the service then gives no work of the account. */
export async function reportCredential(
  { flightdeck, profile, facts }: Account,
  held: Held,
  fault: NetworkFault,
): Promise<void> {
  const state = fault.network?.code?.includes('expired') ? 'expired' : 'invalid'
  const expires_at = facts?.credentialExpiresAt ?? null
  await flightdeck.connector.reportWork({
    ...held.named(),
    profile_id: profile.id,
    credential: { state, expires_at },
    reports: [],
  })
}

const perCall = 500

/** Reads all campaigns, and sends them to the service where it takes inventories. */
async function takeInventory(account: Account, held: Held, facts: AccountFacts): Promise<void> {
  const next = new Map<string, Seen>()
  let page: Seen[] = []
  for await (const seen of account.adapter.inventory(account.access)) {
    const latest = latestOf(account, seen)
    next.set(seen.id, latest)
    if (page.push(latest) < perCall) continue
    await sendInventory(account, held, { page, facts, complete: false })
    page = []
  }
  await sendInventory(account, held, { page, facts, complete: true })
  account.seen = next
}

/** Listings may be behind what was just written and read back. */
function latestOf({ writtenAt, seen, waits }: Account, listed: Seen): Seen {
  const written = writtenAt.get(listed.id) ?? Number.NEGATIVE_INFINITY
  return Date.now() - written < waits.lag ? (seen.get(listed.id) ?? listed) : listed
}

const withoutInventories = new WeakSet<object>()

type Listed = { page: readonly Seen[]; facts: AccountFacts; complete: boolean }

async function sendInventory(
  { flightdeck, profile, log }: Account,
  held: Held,
  { page, facts: { currency, time_zone }, complete }: Listed,
): Promise<void> {
  if (withoutInventories.has(flightdeck)) return
  const campaigns = page.map(({ id, status, observed: { run: _, ...values } }) => ({
    network_object_id: id,
    status,
    currency,
    time_zone,
    ...values,
  }))
  const body = { ...held.named(), profile_id: profile.id, complete, campaigns }
  try {
    await flightdeck.request('POST', '/connector/inventory', { body })
  } catch (error) {
    if (!(error instanceof FlightdeckError) || error.code === 'lease_lost') throw error
    // A service of before inventories; what it refuses of one must not keep work from being done.
    if (error.status === 404) withoutInventories.add(flightdeck)
    else log.error('the inventory was refused', { error: said(error) })
  }
}

/** Reports of what differs in the network from what was sent of it. */
function differences(account: Account): ReportInput[] {
  const { known, seen, writtenAt, waits } = account
  return [...known].flatMap(([id, { sent, ...of }]) => {
    const now = seen.get(id)
    if (now)
      return textOf(now.observed) === sent
        ? []
        : [reportOf(of, 'observed', aboutSeen(account, now))]
    const isFresh = Date.now() - (writtenAt.get(id) ?? 0) < waits.lag
    if (isFresh) return []
    known.delete(id)
    return [reportOf(of, 'gone')]
  })
}
