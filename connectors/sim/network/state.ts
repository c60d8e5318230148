/** The simulated network's own: accounts, their campaigns, and the clock. */

export const objectives = [
  'awareness',
  'reach',
  'traffic',
  'engagement',
  'video_views',
  'leads',
  'app_promotion',
  'conversions',
  'sales',
] as const

export type SimWindow = { day: string; start: string; end: string }

/** The values that clients of the network set. Amounts are in minor units of the account's currency. */
export type SimValues = {
  name: string
  objective: (typeof objectives)[number]
  status: 'ENABLED' | 'PAUSED'
  daily_budget_minor: number | null
  lifetime_budget_minor: number | null
  start_at: string | null
  end_at: string | null
  schedule: readonly SimWindow[]
  labels: readonly string[]
  settings: Readonly<Record<string, unknown>>
}

/** A campaign as it was from a moment on; `values` is null once it is removed. */
type SimVersion = { at: number; revision: number; values: SimValues | null }

export type SimCampaign = {
  id: string
  /** Newest last; older ones are what stale reads show. */
  versions: SimVersion[]
  /** Up to when its spend is counted. */
  countedTo: number
  /** By day of the account: budget in minor units times the seconds that it ran. */
  ran: Record<string, number>
}

export type SimAccount = {
  id: string
  name: string
  currency: string
  time_zone: string
  status: 'ACTIVE' | 'SUSPENDED' | 'CLOSED'
  token: string
  credential: 'VALID' | 'EXPIRED'
  credential_expires_at: string | null
  minimum_daily_budget_minor: number
  campaigns: Map<string, SimCampaign>
}

export type SimState = {
  accounts: Map<string, SimAccount>
  /** How far the network's clock is ahead of real time. */
  offsetMs: number
  /** Counts up: ids are never used again. */
  lastId: number
}

export const emptyState = (): SimState => ({ accounts: new Map(), offsetMs: 0, lastId: 0 })

export const nowIn = (state: SimState): number => Date.now() + state.offsetMs

export type AccountFacts = Pick<SimAccount, 'id' | 'currency' | 'time_zone'> & Partial<SimAccount>

export function openAccount(state: SimState, facts: AccountFacts): SimAccount {
  const account: SimAccount = {
    name: `Account ${facts.id}`,
    status: 'ACTIVE',
    token: 'sim',
    credential: 'VALID',
    credential_expires_at: null,
    minimum_daily_budget_minor: 1,
    campaigns: new Map(),
    ...facts,
  }
  state.accounts.set(account.id, account)
  return account
}

/** Read replicas are never further behind than this. */
const keptMs = 10 * 60_000

/** The values at a moment; null once removed, undefined before it was there. */
export function valuesAt({ versions }: SimCampaign, at: number): SimVersion | undefined {
  return versions.findLast((version) => version.at <= at)
}

export function newest(campaign: SimCampaign): SimVersion {
  const version = campaign.versions.at(-1)
  if (!version) throw new Error('a campaign has at least one version')
  return version
}

export function addCampaign(state: SimState, account: SimAccount, values: SimValues): SimCampaign {
  state.lastId += 1
  const at = nowIn(state)
  const campaign: SimCampaign = {
    id: String(7_000_000_000 + state.lastId),
    versions: [{ at, revision: 1, values }],
    countedTo: at,
    ran: {},
  }
  account.campaigns.set(campaign.id, campaign)
  return campaign
}

/** Puts new values, or null for removed, in force from now on. */
export function setValues(state: SimState, campaign: SimCampaign, values: SimValues | null): void {
  const at = nowIn(state)
  const { revision } = newest(campaign)
  campaign.versions.push({ at, revision: revision + 1, values })
  const firstKept = campaign.versions.findLastIndex((version) => version.at <= at - keptMs)
  campaign.versions.splice(0, Math.max(0, firstKept))
}
