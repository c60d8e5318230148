import type { TSchema, Type } from 'typebox'
import type { KeyRole, Permission, ScopedHolder } from '../identity/permissions.ts'
import type { BareContext, Context } from '../kernel/context.ts'
import type { ProblemCode } from '../problems/codes.ts'
import type { Query } from '../query/list.ts'
import { checkBody } from './request/check-body.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The validated input of an endpoint's function: body, path ids and query. */
export type Input<Body> = {
  body: Body
  id: string
  /** The second id in paths such as `/:id/deliveries/:innerId`. */
  innerId: string
  query: Query
}

/** Validates a nested body like the body of an endpoint, and returns it. */
export const checkNested = <Body extends TSchema>(
  checkable: Checkable<Body>,
  ctx: Context,
  body: unknown,
): Promise<Type.Static<Body>> => checkBody(checkable, ctx, { body, id: '', innerId: '', query: {} })

/** The parts of an endpoint that validate a body. */
export type Checkable<Body extends TSchema = TSchema> = Pick<Endpoint, 'gathersFaults' | 'run'> & {
  body?: Body
}

/** The object that a PUT has made. */
export class NewObject {
  readonly object: unknown

  constructor(object: unknown) {
    this.object = object
  }
}

/** A reply that is sent while it is produced. */
export type Streamed = {
  contentType: string
  fileName?: string
  chunks: AsyncIterable<string>
  /** Called when the client is gone, even if no chunk was ever requested. */
  close?(): void
}

/** A reply that continues until either side ends it. */
export type LiveReply = Streamed & { close(): void }

/** Additional input of a live endpoint. */
export type Live = {
  /** The `Last-Event-ID` header, verbatim. */
  lastEventId: string | null
  /** The caller's current permissions; rejects with the problem that a new request would get. */
  recheck(): Promise<ScopedHolder>
}

/** A group of operations in the OpenAPI document. */
export type Tag = { readonly name: string; readonly description: string }

type About = {
  /** The operationId in the OpenAPI document and the SDK's method name. */
  operation: string
  tag: Tag
  summary: string
  description?: string
}

/** The request for which a cost is computed. */
export type Costing = { ctx: Context; id: string }

type Wire = {
  method: Method | readonly Method[]
  /** Relative to /api/v1, with `:id` for identifiers. */
  path: string
  query?: Readonly<Record<string, TSchema>>
  /** 202: the work is done after the reply. */
  status?: 200 | 201 | 202 | 204 | 207
  /** A PUT that makes the object where it is not there yet, and returns it as a `NewObject`: 201. */
  mayCreate?: true
  /** Another object that it makes where a parameter asks for that: 201, with a `NewObject`. */
  alsoMakes?: { at: string; reply: TSchema }
  /** For endpoints whose body decides between `status` and 200. */
  statusFor?: (body: unknown) => 200 | 207
  /** The body carries operations or rows: allows ten times as many members and items. */
  carriesMany?: true
  /** The body is a file of this type: the verb gets its text as `csv`. */
  takes?: 'text/csv'
  /** The largest body, if it is not 1 MiB. */
  maxBytes?: number
  /** How many requests it counts as, derived from the unchecked body or what is stored. */
  cost?: (body: unknown, costing: Costing) => number | Promise<number>
  reply?: TSchema
  /** The object that a DELETE deletes, where no GET shows it; it has no version. */
  deletes?: TSchema
  /** Works on, but another endpoint should be used: since a day (UTC), and the other's path. */
  deprecated?: { since: string; successor: string }
  /** Reduces the reply for `Prefer: return=minimal`. */
  minimal?: (reply: unknown) => unknown
  /** Content types of a streamed reply. */
  streams?: readonly string[]
  /** Problem codes beyond those implied by the endpoint's shape. */
  problems?: readonly ProblemCode[]
  /** The created object's collection, if it is not `path`. */
  locatedAt?: string
  /**
   * Keeps the token of the result in the console's cookie, or removes the cookie; or renews it, where
   * it was the credential.
   */
  cookie?: 'set' | 'remove' | 'renew'
  /** Exempt from the 5 s deadline: waits for external services or empties a whole organization. */
  unhurried?: true
  /** The reply contains a secret and must not be cached. */
  noStore?: boolean
  /** Example body, for the documentation. It succeeds, if what it refers to is there. */
  example?: object
  /**
   * Honors `If-Match` although path and reply do not imply it: changes something on the
   * organization.
   */
  isVersioned?: true
  /**
   * Excludes `validate_only`: it makes external requests, reveals a secret, or is the login itself.
   */
  noDryRun?: true
  /** Takes no `Idempotency-Key`: repeating it does no harm. */
  noKey?: true
  /** Whether the reply to a query may change while the object’s version stays: it is never a 304. */
  variesBeside?: (query: Query) => boolean
  /** Speaks SCIM, below `/scim/v2` and outside the OpenAPI document: its types, errors, locations. */
  isScim?: true
  /** Waits for news, and holds no place in the line of its organization meanwhile. */
  waits?: true
}

/** One entry of a `routes.ts`: data, no logic. */
export type Endpoint = About &
  Wire & {
    body?: TSchema
    permission: Permission | null
    /** The roles to name in a refusal, if the organization decides them. */
    requiredRoles?(ctx: Context): Promise<readonly KeyRole[]>
    /** The audit log's action for an attempt refused because of the role. */
    action?: string
    /** Also accepts a token that a refresh has replaced. */
    takesReplacedToken?: boolean
    /** Needs a session; API keys get 403. */
    needsSession?: boolean
    /** Stays possible for people who must set up a second factor first. */
    withoutFactor?: true
    /** Weakens or moves the protection: people with a second factor must have logged in lately. */
    needsRecentLogin?: true
    /** The verb validates beyond the schema; faults of both are reported together. */
    gathersFaults?: boolean
    /** The reply continues as long as the client stays connected. */
    live?: true
    run(ctx: Context | BareContext, input: Input<unknown> & Partial<Live>): Promise<unknown>
  }

type Guarded<Body extends TSchema> = About &
  Wire & {
    permission: Permission
    requiredRoles?(ctx: Context): Promise<readonly KeyRole[]>
    action?: string
    body?: Body
    takesReplacedToken?: boolean
    needsSession?: boolean
    withoutFactor?: true
    needsRecentLogin?: true
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
// kind of context. TypeScript compares the parameters of methods such as `run` either way.

export const endpoint = <Body extends TSchema>(definition: Guarded<Body>): Endpoint => definition

/** An endpoint that needs no credential. */
export const publicEndpoint = <Body extends TSchema>(definition: Public<Body>): Endpoint => ({
  ...definition,
  permission: null,
})

/** A GET whose reply continues as long as the client stays connected and authorized. */
export const liveEndpoint = (definition: LiveDefinition): Endpoint => ({
  ...definition,
  live: true,
  noStore: true,
  async run(ctx: Context, { query, lastEventId = null, recheck }) {
    if (!recheck) throw new Error(`${definition.path} was called without its connection`)
    return definition.run(ctx, { query, lastEventId, recheck })
  },
})

export const methodsOf = ({ method }: Pick<Endpoint, 'method'>): readonly Method[] =>
  typeof method === 'string' ? [method] : method

export const statusOf = ({ status = 200 }: Pick<Endpoint, 'status'>) => status
