import { type TSchema, Type } from 'typebox'
import { choice, time } from '../../schema/fields.ts'
import { plans } from '../../values/plans.ts'

const CapState = Type.Object(
  {
    limit: Type.Integer({ description: 'Maximum number for the organization.' }),
    used: Type.Integer({ description: 'Current number. Archived campaigns do not count.' }),
  },
  { title: 'CapState', description: 'A cap, and how much of it is used.' },
)

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

type Names = { caps: readonly string[]; kinds: readonly string[] }

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
      caps: byName(caps, CapState, 'How many objects there may be, and are, by kind.'),
      storage: Type.Object(
        {
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
