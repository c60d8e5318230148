import type { Schema } from '@flightdeckhq/sdk'
import type { Access, Authorization } from './access.ts'
import type { FieldFault } from './fault.ts'
import type { Coverage, Observed, Plan } from './plan.ts'

/** The contract of a network's adapter. It throws `NetworkFault`s, and keeps nothing between calls. */

export type Platform = Schema<'Platform'>

export type AccountFacts = {
  ref: string
  name: string | null
  currency: string
  time_zone: string
  status: 'active' | 'suspended' | 'closed'
  /** When the credential ends; null: never, or unknown. */
  credentialExpiresAt: string | null
  /** Budgets are multiples of it, in minor units; left out: of one. */
  budgetStepMinor?: number
}

/** A campaign as it was seen in the network. Amounts are in minor units. */
export type Seen = {
  id: string
  url: string | null
  /** The mark that a connector has put on it. */
  marker: string | null
  observed: Observed
  status: 'active' | 'paused' | 'scheduled' | 'ended'
  delivery: { state: 'delivering' | 'not_delivering' | 'unknown'; reasons: string[] }
}

/** A plan in the network's shape, or what the network cannot hold of it, and why. */
export type Planned<Body> =
  | { body: Body }
  | { refused: { code: 'cannot_hold' | 'cannot_change' | 'setting'; errors: FieldFault[] } }

export type Apply = {
  /** The campaign as it was last read; null: it is to be created. */
  seen: Seen | null
  marker: string
  /** Has the network judge it, and changes nothing. */
  validateOnly: boolean
}

export type ResultRow = {
  id: string
  /** A day in the account's time zone. */
  date: string
  spend_minor: number
  impressions: number | null
  clicks: number | null
  conversions: number | null
  /** Left out: unknown. */
  conversion_value_minor?: number | null
  /** The network changes the day no more: conversions come days after what they are counted for. */
  is_final?: boolean
}

/** From the first day to the last, both included. */
export type Days = { from: string; to: string }

/** A need of connectors: `fix` says what to do where it is missing, and is null where it works. */
export type Finding = { what: string; fix: string | null }

export interface Adapter<Body = unknown> {
  readonly platform: Platform
  readonly name: string
  readonly version: string
  readonly apiVersion: string
  /** The day that this version of the network's API ends. */
  readonly apiSunset?: string
  readonly coverage: Coverage
  /** Whether `apply` does all of a change or nothing: then it goes in one, and in parts only where it is refused. */
  readonly isAtomic?: boolean
  /** The address of the network's API. */
  readonly url: string
  /** Further origins that are spoken to, such as the one that issues tokens. */
  readonly origins?: readonly string[]
  /** Turns the credential into headers; it is asked again once they have ended or were refused. */
  authorize(credential: string, access: Access): Promise<Authorization>
  account(access: Access): Promise<AccountFacts>
  /** All campaigns of the account that are not removed, ours or not. */
  inventory(access: Access): AsyncIterable<Seen>
  /** Looks for what is missing, and writes nothing; for `--check`. */
  examine?(access: Access): Promise<Finding[]>
  /** Pure: no calls, and the same answer each time. */
  plan(desired: Plan, account: AccountFacts): Planned<Body>
  /** In as few calls as the network allows; what is not there is left out. */
  read(
    access: Access,
    which: { ids: readonly string[] } | { marker: string },
  ): Promise<Map<string, Seen>>
  /** Creates, or changes only what differs; answers the id. */
  apply(access: Access, body: Body, apply: Apply): Promise<{ id: string }>
  /** Ends it for good; what is gone already is no fault. */
  remove(access: Access, id: string): Promise<void>
  /** Figures of campaigns, those that are removed too: what they spent counts. Leaves out what was never there. */
  results(access: Access, ids: readonly string[], days: Days): AsyncIterable<ResultRow>
  /** How many days back figures may still change; left out: 30. Asked once a day. */
  openDays?(access: Access): Promise<number>
}
