import { createHash } from 'node:crypto'
import { FlightdeckError } from '@flightdeckhq/sdk'
import type { AccountFacts, Seen } from '../contract/adapter.ts'
import type { NetworkFault } from '../contract/fault.ts'
import type { Held } from '../lease/lease.ts'
import { said } from '../telemetry/log.ts'
import type { Account, ReportInput } from './account.ts'
import { aboutSeen, reportOf } from './report.ts'
import { bind, sendReports, textOf } from './sent.ts'

/** Looks at the whole account: what it is, and all that it holds. One listing, whatever is deployed. */
export async function pollAccount(account: Account, held: Held): Promise<void> {
  const facts = await account.adapter.account(account.access)
  const isWanted = await reportAccount(account, held, facts)
  account.facts = isAsExpected(account, facts) ? facts : null
  if (facts.status !== 'active') return
  const listed = await readAllOf(account)
  await sendListing(account, held, { facts, listed, isWanted })
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

/** Reports what the account is; answers whether the service wants its inventory in any case. */
async function reportAccount(
  { flightdeck, profile }: Account,
  held: Held,
  { credentialExpiresAt: expires_at, budgetStepMinor: _, ...facts }: AccountFacts,
): Promise<boolean> {
  const isEnding = expires_at !== null && Date.parse(expires_at) - Date.now() < soonMs
  const { inventory_wanted } = await flightdeck.connector.reportWork({
    ...held.named(),
    profile_id: profile.id,
    account: facts,
    credential: { state: isEnding ? 'expiring' : 'valid', expires_at },
    reports: [],
  })
  // A service of before does not say, and wants each.
  return inventory_wanted ?? true
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

/** A call has at most 50,000 members: campaigns may have many hours. */
const perCall = 250

/** Reads all campaigns of the account. */
async function readAllOf(account: Account): Promise<Seen[]> {
  const next = new Map<string, Seen>()
  for await (const seen of account.adapter.inventory(account.access))
    next.set(seen.id, latestOf(account, seen))
  // Listings may lack what was just created.
  for (const [id, seen] of account.seen)
    if (!next.has(id) && isFresh(account, id)) next.set(id, seen)
  account.seen = next
  account.listedAt = performance.now()
  for (const id of account.unsure.keys()) if (!isFresh(account, id)) account.unsure.delete(id)
  return [...next.values()]
}

type Listing = { facts: AccountFacts; listed: readonly Seen[]; isWanted: boolean }

/** Sends all campaigns to the service, unless it has them as they are and wants no more. */
async function sendListing(account: Account, held: Held, listing: Listing): Promise<void> {
  const { facts, listed, isWanted } = listing
  const rows = listed.map((seen) => listedIn(facts, seen))
  const digest = digestOf(rows)
  if (digest === account.listing && !isWanted) return
  account.listing = null
  for (let at = 0; at === 0 || at < rows.length; at += perCall) {
    const complete = at + perCall >= rows.length
    const isTaken = await sendPage(account, held, { page: rows.slice(at, at + perCall), complete })
    if (!isTaken) return
  }
  account.listing = digest
}

function digestOf(rows: readonly object[]): string {
  const hash = createHash('sha256')
  for (const row of rows) hash.update(JSON.stringify(row))
  return hash.digest('base64')
}

/** Listings may be behind what was just written and read back. */
const latestOf = (account: Account, listed: Seen): Seen =>
  isFresh(account, listed.id) ? (account.seen.get(listed.id) ?? listed) : listed

const isFresh = ({ writtenAt, waits }: Account, id: string): boolean =>
  Date.now() - (writtenAt.get(id) ?? 0) < waits.lag

const withoutInventories = new WeakSet<object>()

type Page = { page: ReturnType<typeof listedIn>[]; complete: boolean }

/** Answers whether the page was taken. */
async function sendPage(account: Account, held: Held, { page, complete }: Page): Promise<boolean> {
  const { flightdeck, profile, log } = account
  if (withoutInventories.has(flightdeck)) return false
  const body = { ...held.named(), profile_id: profile.id, complete, campaigns: page }
  try {
    // A service of before has no `former`.
    const { linked, former = [] } = await flightdeck.connector.takeInventory(body)
    // A process that has just begun learns from it what is whose.
    for (const { network_object_id, ...named } of linked) bind(account, network_object_id, named)
    if (complete)
      account.former = new Map(former.map((each) => [each.network_object_id, each.campaign_id]))
    return true
  } catch (error) {
    if (!(error instanceof FlightdeckError) || error.code === 'lease_lost') throw error
    // A service of before inventories; what it refuses of one must not keep work from being done.
    if (error.status === 404) withoutInventories.add(flightdeck)
    else log.error('the inventory was refused', { error: said(error) })
    return false
  }
}

function listedIn({ currency, time_zone }: AccountFacts, { id, status, observed }: Seen) {
  const { run: _, name, ...values } = observed
  const named = { network_object_id: id, name: (name ?? '').slice(0, 1_000), status }
  return { ...named, currency, time_zone, ...values }
}

/** Reports of what differs in the network from what was sent of it. */
function differences(account: Account): ReportInput[] {
  const { known, seen } = account
  return [...known].flatMap(([id, { sent, ...of }]) => {
    const now = seen.get(id)
    if (now)
      return textOf(now.observed) === sent
        ? []
        : [reportOf(of, 'observed', aboutSeen(account, now))]
    if (isFresh(account, id)) return []
    known.delete(id)
    return [reportOf(of, 'gone')]
  })
}
