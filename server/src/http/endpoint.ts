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

/** What an endpoint's function gets, checked: the body, the ids of the path, the query. */
export type Input<Body> = {
  body: Body
  id: string
  /** Of an object within the one that `id` names, in paths that have two. */
  innerId: string
  query: Query
  /** Checks a body inside the body, as an endpoint with that body would. */
  check(endpoint: Checkable, ctx: Context | BareContext, input: Input<unknown>): Promise<void>
}

/** What decides how a body is checked. */
export type Checkable = Pick<Endpoint, 'body' | 'gathersFaults' | 'run'>

/** A reply that is written while it is made. */
export type Streamed = {
  contentType: string
  fileName?: string
  chunks: AsyncIterable<string>
  /** Nobody reads any more, or ever will: also when the first chunk was never asked for. */
  close?(): void
}

/** A reply that goes on until either side has had enough. */
export type LiveReply = {
  contentType: string
  chunks: AsyncIterable<string>
  /** Nobody reads any more, or ever will: also when the first chunk was never asked for. */
  close(): void
}

/** What the function of such an endpoint gets besides. */
export type Live = {
  /** The header `Last-Event-ID`, as it came. */
  lastEventId: string | null
  /** The rights that the caller has by now, or the problem that the same request would be answered. */
  recheck(): Promise<Holder>
}

type About = {
  /** operationId of the OpenAPI document, and the SDK's name for it. */
  operation: string
  tag: Tag
  summary: string
  description?: string
}

type Wire = {
  method: Method | readonly Method[]
  /** Below /api/v1, with `:id` for identifiers. */
  path: string
  query?: Readonly<Record<string, TSchema>>
  /** 202: what is asked for happens after the reply. */
  status?: 200 | 201 | 202 | 204 | 207
  /** Where the body decides: `status`, or 200. */
  statusFor?: (body: unknown) => 200 | 207
  /** Its body carries operations or rows, so it may have ten times as many members and items. */
  carriesMany?: true
  /** How many requests it counts as, where the body decides. It was not checked yet. */
  cost?: (body: unknown) => number
  reply?: TSchema
  /** Content types of a reply that is streamed. */
  streams?: readonly string[]
  /** Codes that this endpoint answers beside those that follow from its shape. */
  problems?: readonly ProblemCode[]
  /** Where the created object is found, when that is not below `path`. */
  locatedAt?: string
  /** It waits for others than the database, or empties a whole organization: not ended after 5 s. */
  unhurried?: true
  /** The reply carries a secret: no cache may keep it. */
  noStore?: boolean
  /** A body as the documentation shows it. */
  example?: unknown
  /** Heeds `If-Match`, which neither its path nor its reply tell: it changes something of the organization. */
  isVersioned?: true
  /** It reaches out, shows a secret or is the login itself: not to be tried out (`validate_only`). */
  noDryRun?: true
}

/** One entry of a `routes.ts`: data, no logic. */
export type Endpoint = About &
  Wire & {
    body?: TSchema
    permission: Permission | null
    /** Where the organization decides for itself: who may, in a refusal for the role. */
    requiredRoles?(ctx: Context): Promise<readonly Role[]>
    /** What the audit log calls an attempt that the role refuses. */
    action?: string
    /** Bearer tokens that a refresh has replaced may call this one. */
    takesReplacedToken?: boolean
    /** It is about the login itself: API keys have none. */
    needsSession?: boolean
    /** The verb checks more of the body than its schema can, so both speak at once. */
    gathersFaults?: boolean
    /** The reply goes on for as long as the client stays. */
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

// The wire layer runs an endpoint only with what its own schema has checked, and with a context
// and an input of its own kind: that is why the casts below are safe.

export const endpoint = <Body extends TSchema>(definition: Guarded<Body>): Endpoint =>
  definition as unknown as Endpoint

/** An endpoint that needs no credential. */
export const publicEndpoint = <Body extends TSchema>(definition: Public<Body>): Endpoint =>
  ({ ...definition, permission: null }) as unknown as Endpoint

/** A GET whose reply goes on for as long as the client stays, and may. */
export const liveEndpoint = (definition: LiveDefinition): Endpoint =>
  ({ ...definition, live: true, noStore: true }) as unknown as Endpoint

/** A violated database constraint as the problem that the caller reads. */
export type Constraints = Readonly<Record<string, () => Problem>>

/** What the list of features holds of each. */
export type Feature = {
  endpoints: readonly Endpoint[]
  constraints?: Constraints
  /** Types of the events that the feature's changes tell, by resource. */
  events?: readonly EventTypes[]
  /** What the feature does when another has changed something, by action. */
  reactions?: Readonly<Record<string, Reaction>>
  /** What the service does by itself for the feature, at fixed times. */
  jobs?: readonly Job[]
  /** What the service keeps looking for. */
  duties?: readonly SingletonTask[]
}

export const methodsOf = ({ method }: Endpoint): readonly Method[] => [method].flat() as Method[]

export const statusOf = ({ status = 200 }: Endpoint): NonNullable<Endpoint['status']> => status
