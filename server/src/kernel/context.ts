import type { Insertable } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Cipher } from '../crypto/cipher.ts'
import type { Cursors } from '../crypto/cursors.ts'
import type { Keyring } from '../crypto/keyring.ts'
import type { Database, Reader, Transaction } from '../database/database.ts'
import { type Readers, readersOf } from '../database/scope/readers.ts'
import type { Tables } from '../database/tables/types.ts'
import type { OwnAddresses } from '../egress/own-addresses.ts'
import type { Resolve, ResolveTexts } from '../egress/resolver.ts'
import type { ApiKeys } from '../identity/api-keys.ts'
import type { LoginThrottle } from '../identity/logins/throttle.ts'
import type { Names } from '../identity/names.ts'
import type { Passwords } from '../identity/passwords.ts'
import type { ScopedHolder } from '../identity/permissions.ts'
import type { Login } from '../identity/recent-login.ts'
import type { Sessions } from '../identity/sessions.ts'
import type { TimingDecoy } from '../identity/timing-decoy.ts'
import type { Tokens } from '../identity/tokens.ts'
import type { AdmissionControl } from '../limits/admission.ts'
import type { Counting } from '../limits/counters/counters.ts'
import type { Deadlines, Timed } from '../limits/deadlines.ts'
import type { LargeLists } from '../limits/large-lists.ts'
import type { LargeReads } from '../limits/large-reads.ts'
import type { RateLimits } from '../limits/rate-limit.ts'
import type { Counters } from '../observability/counters.ts'
import type { DueWork } from '../observability/due-work.ts'
import type { FailureLog } from '../observability/failure-log.ts'
import type { Readiness } from '../observability/readiness.ts'
import type { Tracing } from '../observability/tracing.ts'
import type { WriteHealth } from '../observability/write-health.ts'
import type { ProblemCode } from '../problems/codes.ts'
import type { Fault } from '../problems/fault.ts'
import type { CheckMerged } from '../schema/merge-patch.ts'
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
import type { LedgerEvent, NewRecord, Snapshot } from './ledger.ts'
import type { Subscriber } from './outbox.ts'
import type { OnRefusal } from './people.ts'
import type { Cap, Tallied } from './quotas.ts'
import type { EvenWhenFull, StorageMeter, StoredBytes } from './storage.ts'

/** The key of an idempotent request, and the fingerprint that detects its reuse with other content. */
export type Idempotency = {
  readonly scope: string
  readonly fingerprint: string
  /** Whether a stored fingerprint is of the same content, whichever master key it was made with. */
  isSame(fingerprint: string): boolean
}

/** The parts of a process that all its requests share, by the rooms that make them. */
export type Services = {
  readonly config: Config
  readonly clock: Clock
  readonly database: Database
  readonly signals: Signals
  readonly crypto: CryptoServices
  readonly egress: EgressServices
  readonly identity: IdentityServices
  readonly limits: LimitServices
  readonly observability: ObservabilityServices
  readonly declared: Declared
}

type CryptoServices = {
  readonly keyring: Keyring
  /** The keyring's: seals under its active key. */
  readonly cipher: Cipher
  readonly cursors: Cursors
}

type EgressServices = {
  readonly resolve: Resolve
  readonly ownAddresses: OwnAddresses
  readonly texts: ResolveTexts
}

type IdentityServices = {
  readonly passwords: Passwords
  readonly sessions: Sessions
  readonly apiKeys: ApiKeys
  readonly names: Names
  readonly throttle: LoginThrottle
  /** Simulates the time of recording a failed login. */
  readonly loginFailureDecoy: TimingDecoy
  readonly tokens: Tokens
  /** A new token for the session of the request; null where another request has renewed it. */
  readonly renewToken: (ctx: Context) => Promise<string | null>
}

type LimitServices = {
  readonly rates: RateLimits
  readonly counterStore: Counting
  readonly admission: AdmissionControl
  /** Admission by bytes of request bodies in flight. */
  readonly uploads: AdmissionControl
  readonly largeReads: LargeReads
  readonly largeLists: LargeLists
  readonly deadlines: Deadlines
}

type ObservabilityServices = {
  readonly readiness: Readiness
  readonly writes: WriteHealth
  readonly failures: FailureLog
  readonly counters: Counters
  readonly tracing: Tracing | null
}

/** The declarations of all features together. */
type Declared = {
  readonly reactions: Reactions
  readonly atCommit: readonly AtCommit[]
  readonly onRefusal: readonly OnRefusal[]
  /** Kinds of work that become due by the clock, for metrics. */
  readonly dueWorks: readonly DueWork[]
  /** Event types, for subscriptions to choose from. */
  readonly eventTypes: readonly string[]
  /** Event types that make a version of their object. */
  readonly versionTypes: readonly string[]
  readonly caps: readonly Cap[]
  /** Actions that go on when storage is full. */
  readonly evenWhenFull: EvenWhenFull
  readonly storage: StorageMeter
}

/** The context before authentication: for logins, and the service itself. */
export type BareContext = {
  readonly reader: Reader
  readonly services: Services
  readonly request: RequestFacts | null
  /** Set for a request with a deadline. */
  readonly timed?: Timed | undefined
}

/** The first argument of every verb. Read-only: writing goes through `change()`. */
export type Context = Omit<BareContext, 'reader'> &
  Readers &
  ScopedHolder &
  RequestOptions & {
    readonly organization: Organization
    readonly actor: Actor
    /** The session, token and login of the request; null for API keys and the command line. */
    readonly sessionId: string | null
    readonly tokenId: string | null
    readonly login: Login | null
    /** The change set that the changes belong to. */
    readonly changeSet: ChangeSetFacts | null
  }

/** How a request wants to be done. Flat in the context, so that one is changed by one spread. */
type RequestOptions = {
  /** Versions the client expects the object to have (`If-Match`); null without the header. */
  readonly ifMatch: readonly number[] | '*' | null
  readonly idempotency: Idempotency | null
  readonly checkMerged: CheckMerged | null
  /** Faults of the body found so far. With any, nothing commits; the verb only adds more. */
  readonly faults: readonly Fault[]
  /** The client's reason for the change (`X-Audit-Reason`). */
  readonly reason: string | null
  /** The reason to override a guardrail (`X-Override-Reason`), whether or not the caller may. */
  readonly override: string | null
  /** Set for a dry run (`validate_only`), which rolls back. */
  readonly dryRun: DryRun | null
}

const noOptions: RequestOptions = {
  ifMatch: null,
  idempotency: null,
  checkMerged: null,
  faults: [],
  reason: null,
  override: null,
  dryRun: null,
}

/** Facts of a change set that its changes need. */
export type ChangeSetFacts = {
  readonly id: string
  /** The proposal: by whom, and when. */
  readonly author: Decision
  /** The approval; null if there is none. */
  readonly approver: Decision | null
  /** Collects the campaigns that would need an approval if they were changed alone. */
  readonly unapproved: Set<string>
  /** Set on the way back only: why it may raise nothing; null where it may. */
  readonly barred?: { readonly code: ProblemCode; readonly detail: string } | null
}

type Decision = { readonly by: string | null; readonly at: string }

export type DryRun = {
  /** The object as it would be after the change; for a deletion, as it is. */
  object: unknown
  readonly warnings: Warning[]
}

/** A remark on a request that would be accepted, but may not be intended. */
export type Warning = { pointer: string | null; code: string; message: string }

/** The context inside `change()`: reads and writes go through its transaction, at one instant. */
export type WriteContext = Context & {
  readonly tx: Transaction
  /** The organization's clock, RFC 3339. */
  readonly now: string
  /** A promise, so that the head is read in the same round trip as the work's first query. */
  readonly ledger: Promise<Ledger>
  /** Net number of capped objects added by the transaction so far, by cap. */
  readonly added: Partial<Record<string, number>>
}

/** Audit records and events that a transaction will commit, in order. */
export type Ledger = {
  readonly auditSequence: number
  readonly auditHash: string
  readonly eventSequence: number
  /** Objects that count against the organization's caps. */
  readonly counts: Readonly<Partial<Record<string, number>>>
  readonly storage: StoredBytes
  readonly subscribers: readonly Subscriber[]
  /** Both are objects until the commit makes their text. */
  readonly records: NewRecord[]
  readonly events: LedgerEvent[]
  readonly deliveries: Insertable<Tables['webhook_deliveries']>[]
  /** Differences of running counts. */
  readonly tallies: Tallied[]
  /** The event that carries each object. */
  readonly eventByObject: Map<unknown, LedgerEvent>
}

/** Runs in the same transaction when another feature has changed something. */
export type Reaction = (
  ctx: WriteContext,
  before: Snapshot | null,
  after: Snapshot | null,
  /** As the change hands it on: the feature that makes it has the function that reads it. */
  news: unknown,
) => Promise<void>
/** Sends what follows from all changes of a transaction together, when they are done. */
export type AtCommit = (ctx: WriteContext, events: readonly LedgerEvent[]) => void
export type Reactions = Readonly<Record<string, readonly Reaction[]>>

/** The real time, used for credentials, limits and retention; RFC 3339. */
export const nowText = (services: Services): string => services.clock.now().toISOString()

/** The organization's clock, used for everything that it owns; RFC 3339. */
export const nowIn = ({ services, organization }: Context): string =>
  aheadOf(services.clock, () => organization.clockAheadMs)
    .now()
    .toISOString()

type Caller = Pick<Context, 'organization' | 'actor' | 'role' | 'scope'> &
  Partial<Pick<Context, 'makerRole' | 'agent' | 'sessionId' | 'tokenId' | 'login'>>

/** A context without request options. */
export const newContext = (
  bare: BareContext,
  { organization, actor, role, scope, ...more }: Caller,
): Context => ({
  ...bare,
  ...readersOf(bare.reader, { organization, actor, scope }),
  ...noOptions,
  ...{ organization, actor, role, scope },
  makerRole: more.makerRole ?? null,
  agent: more.agent ?? null,
  sessionId: more.sessionId ?? null,
  tokenId: more.tokenId ?? null,
  login: more.login ?? null,
  changeSet: null,
})

/** The context of the service itself and of the command line: an owner's rights. */
export const administration = (services: Services, actor: Actor, row: OrganizationFacts): Context =>
  newContext(
    { reader: services.database.reader, services, request: null },
    { organization: organizationOf(row), actor, role: 'owner', scope: null },
  )

/** Acts as the service; `part` names the component in the audit log. Undefined without the organization. */
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
