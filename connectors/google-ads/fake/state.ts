import type { Json } from './json.ts'

/** The accounts of the fake, and what they hold. */

export const kinds = [
  'campaignBudget',
  'campaign',
  'campaignCriterion',
  'label',
  'campaignLabel',
] as const
export type Kind = (typeof kinds)[number]

/** By their resource names. */
export type Held = Readonly<Record<Kind, Map<string, Json>>>

export type AccountFacts = {
  /** Digits. */
  id: string
  name?: string
  currency: string
  timeZone: string
  status?: 'ENABLED' | 'SUSPENDED' | 'CANCELED'
  billableUnitMicros?: string
  perDayMinimumMicros?: string
  /** The manager account that must be named as `login-customer-id`. */
  manager?: string
  isTest?: boolean
  /** The account’s own declaration on political advertising for the EU; UNSPECIFIED by default. */
  declaration?: string
  /** Whether writes of the account are refused until its campaigns are declared. */
  isDeclarationOverdue?: boolean
}

/** A state that a campaign was in, for tests that watch it. */
export type Version = { at: number; id: string; status: string; micros: string; marks: string[] }

export type Account = Required<Omit<AccountFacts, 'manager'>> & {
  manager: string | null
  held: Held
  nextId: number
  /** Results by campaign and day. */
  metrics: Map<string, Json>
  conversionActions: Json[]
  /** Delivery as the network judges it, by campaign; else it is computed. */
  delivery: Map<string, { primaryStatus: string; primaryStatusReasons: string[] }>
  versions: Version[]
  /** As it was before writes, for reads that lag. */
  past: { until: number; held: Held }[]
}

export type State = {
  accounts: Map<string, Account>
  /** How far the network’s clock is ahead of real time. */
  offsetMs: number
}

export const emptyState = (): State => ({ accounts: new Map(), offsetMs: 0 })

const nothingHeld = (): Held => ({
  campaignBudget: new Map(),
  campaign: new Map(),
  campaignCriterion: new Map(),
  label: new Map(),
  campaignLabel: new Map(),
})

export function openAccount(state: State, { manager, ...facts }: AccountFacts): Account {
  const account: Account = {
    name: 'Account',
    status: 'ENABLED',
    billableUnitMicros: '10000',
    perDayMinimumMicros: '10000',
    isTest: false,
    declaration: 'UNSPECIFIED',
    isDeclarationOverdue: false,
    ...facts,
    manager: manager ?? null,
    held: nothingHeld(),
    nextId: 1_000,
    metrics: new Map(),
    conversionActions: [],
    delivery: new Map(),
    versions: [],
    past: [],
  }
  state.accounts.set(account.id, account)
  return account
}

export const textOf = (resource: Json | undefined, name: string): string => {
  const value = resource?.[name]
  return typeof value === 'string' ? value : ''
}

export const copyOf = (held: Held): Held => ({
  campaignBudget: new Map(held.campaignBudget),
  campaign: new Map(held.campaign),
  campaignCriterion: new Map(held.campaignCriterion),
  label: new Map(held.label),
  campaignLabel: new Map(held.campaignLabel),
})

const lagKeptMs = 60_000

/** Puts the held in the place of what was; reads that lag still see that. */
export function commit(account: Account, held: Held, touched: readonly string[]): void {
  const now = Date.now()
  account.past = account.past.filter(({ until }) => until > now - lagKeptMs)
  account.past.push({ until: now, held: copyOf(account.held) })
  for (const kind of kinds) {
    account.held[kind].clear()
    for (const [name, each] of held[kind]) account.held[kind].set(name, each)
  }
  for (const name of touched) noteVersion(account, name, now)
}

function noteVersion({ held, versions }: Account, name: string, at: number): void {
  const campaign = held.campaign.get(name)
  if (!campaign) return
  const budget = held.campaignBudget.get(textOf(campaign, 'campaignBudget'))
  const marks = [...held.campaignLabel.values()]
    .filter((each) => each.campaign === name)
    .map((each) => textOf(held.label.get(textOf(each, 'label')), 'name'))
  const [id, status] = [textOf(campaign, 'id'), textOf(campaign, 'status')]
  const micros = textOf(budget, 'amountMicros') || textOf(budget, 'totalAmountMicros')
  versions.push({ at, id, status, micros, marks })
}
