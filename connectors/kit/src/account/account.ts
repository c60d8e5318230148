import type { Flightdeck, Schema } from '@flightdeckhq/sdk'
import type { Access } from '../contract/access.ts'
import type { AccountFacts, Adapter, Seen } from '../contract/adapter.ts'
import type { NetworkFault } from '../contract/fault.ts'
import type { Observed } from '../contract/plan.ts'
import type { Backoff } from '../lease/backoff.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Ceilings } from './ceiling.ts'

/** A lane's knowledge of its account. Nothing of it must outlive the process. */

export type ReportInput = Schema<'ConnectorReportItem'>
export type CheckInput = Schema<'ConnectorCheckResult'>
export type Profile = Schema<'ConnectorProfile'>

/** A deployment that this process has had to do with. */
export type Known = {
  deployment_id: string
  campaign_id: string
  generation: number
  /** The values that the service knows; null: none yet. */
  sent: string | null
}

export type Account = {
  profile: Profile
  adapter: Adapter
  access: Access & { forget(): void }
  flightdeck: Flightdeck
  ceilings: Ceilings
  waits: Waits
  log: Log
  metrics: Metrics
  backoff: Backoff
  /** The account in the network; null until it is seen, or where nothing may be sent to it. */
  facts: AccountFacts | null
  /** All campaigns of the account, as last seen. */
  seen: Map<string, Seen>
  /** When that was all of them, by this process’s clock. */
  listedAt: number
  /** Milliseconds for which that stands: looks come more often. */
  listedMs: number
  /** A digest of the listing that the service has; null: it has none of this lease. */
  listing: string | null
  /** Values that writes may have given campaigns, until they are seen. */
  unsure: Map<string, Observed>
  /** When each was last written to, by its id. */
  writtenAt: Map<string, number>
  /** By the network's id. */
  known: Map<string, Known>
  /** Campaigns of the service by ids that they had before, or have lost. */
  former: ReadonlyMap<string, string>
  signal: AbortSignal
  /** A fault that may be of the whole account. */
  hear(fault: NetworkFault): void
}

/** Waits, in milliseconds; tests make them short. */
export type Waits = {
  /** Before each look at what was written, which reads may be slow to show. */
  readBack: readonly number[]
  /** Before a second look at what a read does not show. */
  secondLook: number
  /** Between two looks for what may have been created. */
  betweenLooks: number
  /** As long reads may show what was before a write. */
  lag: number
}

export const waits: Waits = {
  readBack: [0, 200, 800, 3_000],
  secondLook: 3_000,
  betweenLooks: 60_000,
  lag: 60_000,
}
