import type { TSchema } from 'typebox'
import type { SealedTable } from '../crypto/sealed-table.ts'
import type { OrganizationTable } from '../database/tables/tenant-tables.ts'
import type { Permission } from '../identity/permissions.ts'
import type { Job, SingletonTask } from '../jobs/job.ts'
import type { AtCommit, BareContext, Reaction, Services } from '../kernel/context.ts'
import type { EventTypes } from '../kernel/event-types.ts'
import type { OnRefusal } from '../kernel/people.ts'
import type { Cap } from '../kernel/quotas.ts'
import type { EvenWhenFull } from '../kernel/storage.ts'
import type { Problem } from '../problems/problem.ts'
import type { IdType } from '../values/ids.ts'
import type { Endpoint, Tag } from './endpoint.ts'

/** The problem for each violated database constraint, by constraint name. */
export type Constraints = Readonly<Record<string, () => Problem>>

/** A table with the objects of a feature. */
export type OwnTable = {
  readonly name: OrganizationTable
  /** Emptied when a sandbox is reset. */
  readonly isEmptied?: true
  /** Set where the rows have a gapless `sequence`, which counts them. */
  readonly isSequenced?: true
  /** Counts the rows of the organization `$1`, where they are too many to be counted one by one. */
  readonly countSql?: string
}

/** A visit of a page outside the API. */
export type PageVisit = {
  /** From the path. */
  readonly token: string
  readonly address: string
  /** From the page's form; null where it was not sent. */
  readonly password: string | null
  /** Whether the page itself is wanted, not only its headers. */
  readonly isRead: boolean
}

export type PageReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly html: string
}

/** A page outside the API, for people without an account: its path has a `:token`. */
export type PublicPage = {
  readonly path: string
  open(services: Services): (visit: PageVisit) => Promise<PageReply>
}

/** A browser at a step of a login, or another service that posts a form. */
export type StepVisit = {
  readonly ctx: BareContext
  /** The path and query, below the public URL. */
  readonly url: URL
  readonly form: URLSearchParams
  /** Whether the browser is at the public URL, whose cookies it sends back. */
  readonly isAtPublicUrl: boolean
  /** Whether another site has sent the browser here. */
  readonly isFromElsewhere: boolean
  /** The login under way, as the browser has kept it. */
  readonly attempt: string | undefined
}

export type StepReply = PageReply & {
  /** Opens a session of the console. */
  readonly token?: string
  /** Kept by the browser until the next step; null: forgotten. */
  readonly attempt?: string | null
}

/** A step of a login below `/api/v1` that answers browsers and not programs. */
export type LoginStep = {
  readonly path: string
  readonly method: 'GET' | 'POST'
  /** The parameters that it takes; omitted: a provider's answer, which may have any. */
  readonly query?: Readonly<Record<string, TSchema>>
  take(visit: StepVisit): Promise<StepReply>
  /** Shows a person why a request is refused; omitted: programs get the problem. */
  refused?(problem: Problem): StepReply
}

/** A feature's entry in the list of features. */
export type Feature = {
  /** The group of operations that it adds to the OpenAPI document. */
  tag?: Tag
  /** Every permission that it declares. */
  permissions?: readonly Permission[]
  /** The ids in its paths, by the collection before them: `templates` in `/templates/:id`. */
  ids?: Readonly<Record<string, IdType>>
  cap?: Cap
  /** The tables whose size `/limits` shows. */
  tables?: readonly OwnTable[]
  /** Actions that go on when the organization's storage is full; others are refused. */
  evenWhenFull?: EvenWhenFull
  endpoints: readonly Endpoint[]
  pages?: readonly PublicPage[]
  steps?: readonly LoginStep[]
  constraints?: Constraints
  /** The table with secrets that it seals under the master key. */
  sealed?: SealedTable
  /** The event types that the feature's changes emit. */
  events?: readonly EventTypes[]
  /** Reactions to changes in other features, by action. */
  reactions?: Readonly<Record<string, Reaction>>
  /** Sends what follows from all changes of a transaction, at its commit. */
  atCommit?: AtCommit
  /** Notes refused writes of agents. */
  onRefusal?: OnRefusal
  /** Scheduled jobs. */
  jobs?: readonly Job[]
  /** Background tasks that run continuously on one process. */
  duties?: readonly SingletonTask[]
}
