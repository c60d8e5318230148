import { type TSchema, Type } from 'typebox'
import { choice, idOf, orNull, time } from '../../schema/fields.ts'
import { organizationIds } from '../../values/core-ids.ts'
import { plans } from '../../values/plans.ts'

const CapState = Type.Object(
  {
    limit: Type.Integer({ description: 'Maximum number for the organization.' }),
    used: Type.Integer({ description: 'Current number. Archived campaigns do not count.' }),
  },
  { title: 'CapState', description: 'A cap, and how much of it is used.' },
)

const StorageCap = Type.Object(
  {
    limit: orNull(
      Type.Integer({ description: 'Maximum bytes by plan; null where the plan sets none.' }),
    ),
    used: Type.Integer({
      description: 'Bytes as measured last, and about what was written since.',
    }),
  },
  {
    title: 'StorageCap',
    description:
      'How many bytes the organization may store. Beyond it writes are 409 `limit_exceeded`, except for those that free, stop or protect something.',
  },
)
export type StorageCap = Type.Static<typeof StorageCap>

/** The object of the warning. */
export const StorageUse = Type.Object(
  {
    id: idOf(organizationIds, 'Organization identifier.'),
    plan: choice(plans, { description: 'The organization’s plan.' }),
    used: Type.Integer({ description: 'Bytes that it stores.' }),
    limit: Type.Integer({ description: 'Bytes that it may store.' }),
  },
  { title: 'StorageUse' },
)
export type StorageUse = Type.Static<typeof StorageUse>

const Bytes = Type.Integer({ minimum: 0, title: 'Bytes', description: 'Number of bytes.' })

/** An object with the same schema for each name. */
const byName = <Schema extends TSchema>(
  names: readonly string[],
  schema: Schema,
  description: string,
) =>
  Type.Unsafe<Record<string, Type.Static<Schema>>>(
    Type.Object(Object.fromEntries(names.map((name) => [name, schema])), { description }),
  )

/** The caps by name, of which storage is counted in bytes. */
const capsOf = (names: readonly string[]) =>
  Type.Unsafe<Readonly<Record<string, StorageCap>>>(
    Type.Object(
      { ...Object.fromEntries(names.map((name) => [name, CapState])), storage: StorageCap },
      { description: 'How many objects and bytes there may be, and are, by kind.' },
    ),
  )

type Names = { caps: readonly string[]; kinds: readonly string[] }

const storageStates = ['ok', 'nearly_full', 'full'] as const

export const limitsOf = ({ caps, kinds }: Names) =>
  Type.Object(
    {
      plan: choice(plans, { description: 'The organization’s plan.' }),
      requests: Type.Object(
        {
          limit: Type.Integer({ description: 'Requests per window, by plan.' }),
          remaining: Type.Integer({ description: 'Requests left in this window.' }),
          window_seconds: Type.Integer({ description: 'Length of a window.' }),
          reset_seconds: Type.Integer({ description: 'Seconds until the window ends.' }),
        },
        { description: 'The rate limit, as in the `RateLimit` headers.' },
      ),
      caps: capsOf(caps),
      storage: Type.Object(
        {
          state: choice(storageStates, {
            description: '`nearly_full` from 80 % of the limit on, `full` at the limit.',
          }),
          bytes: Type.Integer({ minimum: 0, description: 'Total of all kinds.' }),
          by_kind: byName(kinds, Bytes, 'By kind of object.'),
          measured_at: time('When it was measured.'),
        },
        {
          description:
            'Database space of the organization’s objects, audit records and events, compressed as stored and without indexes. For kinds with more than 1,000 rows it is an estimate: the row count times the average size of the newest 1,000 rows. Measured at most once a minute. Short-lived data is not counted: deliveries and their attempts, sessions, idempotency keys.',
        },
      ),
    },
    { title: 'Limits' },
  )
export type Limits = Type.Static<ReturnType<typeof limitsOf>>
