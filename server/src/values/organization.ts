import type { Plan } from './plans.ts'

export type Organization = {
  readonly id: string
  readonly name: string
  readonly plan: Plan
  readonly status: 'active' | 'suspended'
  readonly requireIfMatch: boolean
  /** Whether people without a second factor may only set one up. */
  readonly requireSecondFactor: boolean
  /** IANA name. */
  readonly timeZone: string
  /** The offset of a sandbox's clock, in milliseconds; zero for other organizations. */
  readonly clockAheadMs: number
}

export type Actor = {
  readonly type: 'user' | 'api_key' | 'system' | 'cli' | 'anonymous'
  readonly id: string | null
  readonly name: string | null
}

/** The actor of what the service does by itself. */
export const serviceActor: Actor = { type: 'system', id: null, name: 'Flightdeck' }

/** The request facts that the audit log keeps. `status` is the one of success. */
export type RequestFacts = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ip: string
  readonly user_agent: string | null
}

/** The organization columns that a context holds. */
export const organizationFacts = [
  'id',
  'name',
  'plan',
  'status',
  'require_if_match',
  'require_second_factor',
  'time_zone',
  'clock_ahead_ms',
] as const

export type OrganizationFacts = {
  readonly id: string
  readonly name: string
  readonly plan: Plan
  readonly status: Organization['status']
  readonly require_if_match: boolean
  readonly require_second_factor: boolean
  readonly time_zone: string
  readonly clock_ahead_ms: number
}

export const organizationOf = (row: OrganizationFacts): Organization => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  status: row.status,
  requireIfMatch: row.require_if_match,
  requireSecondFactor: row.require_second_factor,
  timeZone: row.time_zone,
  clockAheadMs: row.clock_ahead_ms,
})
