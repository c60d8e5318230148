import type { Insertable } from 'kysely'
import type { Config, CountedName } from '../config/config.ts'
import type { Cipher } from '../crypto/cipher.ts'
import type { Cursors } from '../crypto/cursors.ts'
import type { Database, Reader, Transaction } from '../database/database.ts'
import type { Tables } from '../database/types.ts'
import type { OwnAddresses } from '../egress/own-addresses.ts'
import type { Resolve } from '../egress/resolver.ts'
import type { ApiKeys } from '../identity/api-keys.ts'
import type { LoginThrottle } from '../identity/logins/throttle.ts'
import type { Passwords } from '../identity/passwords.ts'
import type { Holder } from '../identity/permissions.ts'
import type { Sessions } from '../identity/sessions.ts'
import type { TimingDecoy } from '../identity/timing-decoy.ts'
import type { Tokens } from '../identity/tokens.ts'
import type { AdmissionControl } from '../limits/admission.ts'
import type { Counting } from '../limits/counters/counters.ts'
import type { Deadlines, Timed } from '../limits/deadlines.ts'
import type { LargeReads } from '../limits/large-reads.ts'
import type { RateLimits } from '../limits/rate-limit.ts'
import type { Counters } from '../observability/counters.ts'
import type { Readiness } from '../observability/readiness.ts'
import type { Tracing } from '../observability/tracing.ts'
import type { Fault } from '../problems/problem.ts'
import type { Signals } from '../signals/signals.ts'
import { aheadOf, type Clock } from '../values/clock.ts'
import {
  type Actor,
  type Organization,
  type OrganizationFacts,
  organizationFacts,
  organizationOf,
  type RequestFacts,
} from '../values/organization.ts'
import type { Subscriber } from './outbox.ts'

/** The key of an idempotent request, and what makes another request with it another one. */
export type Idempotency = { readonly scope: string; readonly fingerprint: string }

/** What one process has for all requests. */
export type Services = {
  readonly config: Config
  readonly clock: Clock
  readonly database: Database
  readonly cipher: Cipher
  readonly cursors: Cursors
  /** Of names that clients choose. */
  readonly resolve: Resolve
  readonly ownAddresses: OwnAddresses
  readonly passwords: Passwords
  readonly sessions: Sessions
  readonly apiKeys: ApiKeys
  readonly throttle: LoginThrottle
  /** At which failed logins are recorded. */
  readonly loginFailureDecoy: TimingDecoy
  readonly tokens: Tokens
  readonly reactions: Reactions
  readonly limits: RateLimits
  readonly counterStore: Counting
  readonly readiness: Readiness
  readonly signals: Signals
  readonly admission: AdmissionControl
  readonly largeReads: LargeReads
  readonly deadlines: Deadlines
  /** Of bodies on their way, in bytes. */
  readonly uploads: AdmissionControl
  readonly counters: Counters
  readonly tracing: Tracing | null
  /** Every type of event that the features tell, for subscriptions to choose from. */
  readonly eventTypes: readonly string[]
}

/** What a verb may lean on when nobody is known yet: login, and the service itself. */
export type BareContext = {
  readonly reader: Reader
  readonly services: Services
  readonly request: RequestFacts | null
  /** Of a request that must end in time. */
  readonly timed?: Timed | undefined
}

/** What every verb of an organization gets. It can read; writing goes through `change()`. */
export type Context = BareContext &
  Holder & {
    readonly organization: Organization
    readonly actor: Actor
    /** The session and token that the request came with; null for API keys and the command line. */
    readonly sessionId: string | null
    readonly tokenId: string | null
    /** Versions that the client takes the object to have (`If-Match`); null when not said. */
    readonly ifMatch: readonly number[] | '*' | null
    readonly idempotency: Idempotency | null
    /** Faults of the body found so far: with any, nothing commits, and the verb only finds more. */
    readonly faults: readonly Fault[]
    /** The client's own words on why (`X-Audit-Reason`). */
    readonly reason: string | null
    /** Why a guardrail shall not hold this once (`X-Override-Reason`), said by one who may say so. */
    readonly override: string | null
    /** Set while a request is only tried out (`validate_only`): nothing is kept. */
    readonly dryRun: DryRun | null
  }

/** What a request that is only tried out finds. */
export type DryRun = {
  /** The object as it would be; for one that would go, as it is. */
  object: unknown
  readonly warnings: Warning[]
}

/** What would be accepted, and yet may not be meant. */
export type Warning = { pointer: string | null; code: string; message: string }

/** Inside `change()`: reads and writes go through its transaction, at one instant. */
export type WriteContext = Context & {
  readonly tx: Transaction
  /** The organization's own time. */
  readonly now: string
  /** Under way while the work begins, so that both are read in one round trip. */
  readonly ledger: Promise<Ledger>
  /** How many capped objects the transaction has added so far, by table. */
  readonly added: Partial<Record<CountedName, number>>
}

/** What a transaction has to tell when it commits: its records and events, in order. */
export type Ledger = {
  auditSequence: number
  auditHash: string
  eventSequence: number
  /** Objects that count against the organization's caps. */
  readonly counts: Readonly<Partial<Record<CountedName, number>>>
  readonly subscribers: readonly Subscriber[]
  readonly records: Insertable<Tables['audit_logs']>[]
  readonly events: Insertable<Tables['events']>[]
  readonly deliveries: Insertable<Tables['webhook_deliveries']>[]
  /** The objects that the events tell, with their events' sequences. */
  readonly sequenceByObject: Map<unknown, number>
}

/** What one feature does, in the same transaction, when another has changed something. */
export type Reaction = (ctx: WriteContext, before: unknown, after: unknown) => Promise<void>
export type Reactions = Readonly<Record<string, readonly Reaction[]>>

/** The real time, by which credentials, limits and retention go. */
export const nowText = (services: Services): string => services.clock.now().toISOString()

/** The organization's own time, by which everything that it owns goes. */
export const nowIn = ({ services, organization }: Context): string =>
  aheadOf(services.clock, () => organization.clockAheadMs)
    .now()
    .toISOString()

/** How the service itself and the command line act in an organization: with an owner's rights. */
export const administration = (
  services: Services,
  actor: Actor,
  row: OrganizationFacts,
): Context => ({
  reader: services.database.reader,
  services,
  request: null,
  organization: organizationOf(row),
  actor,
  role: 'owner',
  makerRole: null,
  sessionId: null,
  tokenId: null,
  ifMatch: null,
  idempotency: null,
  faults: [],
  reason: null,
  override: null,
  dryRun: null,
})

/** The service itself as the actor: `part` says which of its parts acted. */
export async function actAsSystem(
  services: Services,
  organizationId: string,
  part: string,
): Promise<Context | undefined> {
  const row = await services.database.reader
    .kysely()
    .selectFrom('organizations')
    .select(organizationFacts)
    .where('id', '=', organizationId)
    .executeTakeFirst()
  return row && administration(services, { type: 'system', id: null, name: part }, row)
}
