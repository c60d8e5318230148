import type { TSchema, Type } from 'typebox'
import type { Holder, Permission, Role } from '../identity/permissions.ts'
import type { Job, SingletonTask } from '../jobs/job.ts'
import type { BareContext, Context, Reaction } from '../kernel/context.ts'
import type { EventTypes } from '../kernel/event-types.ts'
import type { ProblemCode } from '../problems/codes.ts'
import type { Problem } from '../problems/problem.ts'
import type { Query } from '../query/list.ts'
import type { Tag } from './openapi/tags.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The validated input of an endpoint's function: body, path ids and query. */
export type Input<Body> = {
  body: Body
  id: string
  /** The second id in paths such as `/:id/deliveries/:innerId`. */
  innerId: string
  query: Query
  /** Validates a nested body like the body of the given endpoint. */
  check(endpoint: Checkable, ctx: Context | BareContext, input: Input<unknown>): Promise<void>
}

/** What validating a body depends on. */
export type Checkable = Pick<Endpoint, 'body' | 'gathersFaults' | 'run'>

/** A reply that is sent while it is produced. */
export type Streamed = {
  contentType: string
  fileName?: string
  chunks: AsyncIterable<string>
  /** Called when the client is gone, even if no chunk was ever requested. */
  close?(): void
}

/** A reply that continues until either side ends it. */
export type LiveReply = {
  contentType: string
  chunks: AsyncIterable<string>
  /** Called when the client is gone, even if no chunk was ever requested. */
  close(): void
}

/** Additional input of a live endpoint. */
export type Live = {
  /** The `Last-Event-ID` header, verbatim. */
  lastEventId: string | null
  /** The caller's current permissions; rejects with the problem that a new request would get. */
  recheck(): Promise<Holder>
}

type About = {
  /** The operationId in the OpenAPI document and the SDK's method name. */
  operation: string
  tag: Tag
  summary: string
  description?: string
}

type Wire = {
  method: Method | readonly Method[]
  /** Relative to /api/v1, with `:id` for identifiers. */
  path: string
  query?: Readonly<Record<string, TSchema>>
  /** 202: the work is done after the reply. */
  status?: 200 | 201 | 202 | 204 | 207
  /** For endpoints whose body decides between `status` and 200. */
  statusFor?: (body: unknown) => 200 | 207
  /** The body carries operations or rows: allows ten times as many members and items. */
  carriesMany?: true
  /** How many requests it counts as, derived from the unchecked body. */
  cost?: (body: unknown) => number
  reply?: TSchema
  /** Content types of a streamed reply. */
  streams?: readonly string[]
  /** Problem codes beyond those implied by the endpoint's shape. */
  problems?: readonly ProblemCode[]
  /** The created object's collection, if it is not `path`. */
  locatedAt?: string
  /** Exempt from the 5 s deadline: waits for external services or empties a whole organization. */
  unhurried?: true
  /** The reply contains a secret and must not be cached. */
  noStore?: boolean
  /** Example body for the documentation. */
  example?: unknown
  /**
   * Honors `If-Match` although path and reply do not imply it: changes something on the
   * organization.
   */
  isVersioned?: true
  /**
   * Excludes `validate_only`: it makes external requests, reveals a secret, or is the login itself.
   */
  noDryRun?: true
}

/** One entry of a `routes.ts`: data, no logic. */
export type Endpoint = About &
  Wire & {
    body?: TSchema
    permission: Permission | null
    /** The roles to name in a refusal, if the organization decides them. */
    requiredRoles?(ctx: Context): Promise<readonly Role[]>
    /** The audit log's action for an attempt refused because of the role. */
    action?: string
    /** Also accepts a token that a refresh has replaced. */
    takesReplacedToken?: boolean
    /** Needs a session; API keys get 403. */
    needsSession?: boolean
    /** The verb validates beyond the schema; faults of both are reported together. */
    gathersFaults?: boolean
    /** The reply continues as long as the client stays connected. */
    live?: true
    run(ctx: Context | BareContext, input: Input<unknown> & Partial<Live>): Promise<unknown>
  }

type Guarded<Body extends TSchema> = About &
  Wire & {
    permission: Permission
    requiredRoles?(ctx: Context): Promise<readonly Role[]>
    action?: string
    body?: Body
    takesReplacedToken?: boolean
    needsSession?: boolean
    gathersFaults?: boolean
    run(ctx: Context, input: Input<Type.Static<Body>>): Promise<unknown>
  }

type LiveDefinition = About &
  Wire & {
    permission: Permission
    run(ctx: Context, input: Pick<Input<unknown>, 'query'> & Live): Promise<LiveReply>
  }

type Public<Body extends TSchema> = About &
  Wire & { body?: Body; run(ctx: BareContext, input: Input<Type.Static<Body>>): Promise<unknown> }

// The pipeline calls an endpoint only with input checked against its own schema and with its own
// kind of context; the casts below rely on that.

export const endpoint = <Body extends TSchema>(definition: Guarded<Body>): Endpoint =>
  definition as unknown as Endpoint

/** An endpoint that needs no credential. */
export const publicEndpoint = <Body extends TSchema>(definition: Public<Body>): Endpoint =>
  ({ ...definition, permission: null }) as unknown as Endpoint

/** A GET whose reply continues as long as the client stays connected and authorized. */
export const liveEndpoint = (definition: LiveDefinition): Endpoint =>
  ({ ...definition, live: true, noStore: true }) as unknown as Endpoint

/** The problem for each violated database constraint, by constraint name. */
export type Constraints = Readonly<Record<string, () => Problem>>

/** A feature's entry in the list of features. */
export type Feature = {
  endpoints: readonly Endpoint[]
  constraints?: Constraints
  /** The event types that the feature's changes emit. */
  events?: readonly EventTypes[]
  /** Reactions to changes in other features, by action. */
  reactions?: Readonly<Record<string, Reaction>>
  /** Scheduled jobs. */
  jobs?: readonly Job[]
  /** Background tasks that run continuously on one process. */
  duties?: readonly SingletonTask[]
}

export const methodsOf = ({ method }: Endpoint): readonly Method[] => [method].flat() as Method[]

export const statusOf = ({ status = 200 }: Endpoint): NonNullable<Endpoint['status']> => status
