import type { TSchema, Type } from 'typebox'
import type { BareContext, Context, Reaction } from '../kernel/context.ts'
import type { Problem } from '../kernel/errors.ts'
import type { Job } from '../kernel/jobs.ts'
import type { Query } from '../kernel/pages.ts'
import type { Permission } from '../kernel/permissions.ts'
import type { ProblemCode } from '../kernel/problems.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What an endpoint's function gets, checked: the body, the id of the path, the query. */
export type Input<Body> = { body: Body; id: string; query: Query }

/** A reply that is written while it is made. */
export type Streamed = { contentType: string; fileName: string; chunks: AsyncIterable<string> }

type About = {
  /** operationId of the OpenAPI document, and the SDK's name for it. */
  operation: string
  tag: string
  summary: string
  description?: string
}

type Wire = {
  method: Method | readonly Method[]
  /** Below /api/v1, with `:id` for identifiers. */
  path: string
  query?: Readonly<Record<string, TSchema>>
  status?: 200 | 201 | 204
  reply?: TSchema
  /** Content types of a reply that is streamed. */
  streams?: readonly string[]
  /** Codes that this endpoint answers beside those that follow from its shape. */
  problems?: readonly ProblemCode[]
  /** Where the created object is found, when that is not below `path`. */
  locatedAt?: string
  /** The reply carries a secret: no cache may keep it. */
  noStore?: boolean
  /** A body as the documentation shows it. */
  example?: unknown
}

/** One entry of a `routes.ts`: data, no logic. */
export type Endpoint = About &
  Wire & {
    body?: TSchema
    permission: Permission | null
    /** What the audit log calls an attempt that the role refuses. */
    action?: string
    /** Bearer tokens that a refresh has replaced may call this one. */
    takesReplacedToken?: boolean
    /** The verb checks more of the body than its schema can, so both speak at once. */
    gathersFaults?: boolean
    run(ctx: Context | BareContext, input: Input<unknown>): Promise<unknown>
  }

type Guarded<Body extends TSchema> = About &
  Wire & {
    permission: Permission
    action?: string
    body?: Body
    takesReplacedToken?: boolean
    gathersFaults?: boolean
    run(ctx: Context, input: Input<Type.Static<Body>>): Promise<unknown>
  }

type Public<Body extends TSchema> = About &
  Wire & { body?: Body; run(ctx: BareContext, input: Input<Type.Static<Body>>): Promise<unknown> }

// The wire layer runs an endpoint only with what its own schema has checked, and with a context
// of its own kind: that is why the two casts below are safe.

export const endpoint = <Body extends TSchema>(definition: Guarded<Body>): Endpoint =>
  definition as unknown as Endpoint

/** An endpoint that needs no credential. */
export const publicEndpoint = <Body extends TSchema>(definition: Public<Body>): Endpoint =>
  ({ ...definition, permission: null }) as unknown as Endpoint

/** A violated database constraint as the problem that the caller reads. */
export type Constraints = Readonly<Record<string, () => Problem>>

/** What the list of features holds of each. */
export type Feature = {
  endpoints: readonly Endpoint[]
  constraints?: Constraints
  /** Types of the events that the feature's changes tell. */
  events?: readonly string[]
  /** What the feature does when another has changed something, by action. */
  reactions?: Readonly<Record<string, Reaction>>
  /** What the service does by itself for the feature, at fixed times. */
  jobs?: readonly Job[]
}

export const methodsOf = ({ method }: Endpoint): readonly Method[] => [method].flat() as Method[]

export const statusOf = ({ status = 200 }: Endpoint): 200 | 201 | 204 => status
