import { type TProperties, Type } from 'typebox'
import type { ProblemCode } from './codes.ts'
import { operationCodes } from './fault-codes.ts'

const Names = (description: string, example: readonly string[]) =>
  Type.Unsafe<readonly string[]>({
    type: 'array',
    items: { type: 'string' },
    description,
    examples: [example],
  })

const Status = Type.String({ description: 'The present status.', examples: ['draft'] })
const Action = Type.String({ description: 'The requested action.', examples: ['resume'] })
const AllowedActions = Names('The actions that are possible instead.', ['launch', 'archive'])
const Amount = (description: string, example: number) =>
  Type.Number({ description, examples: [example] })

const Reference = Type.Object(
  {
    type: Type.String({ description: 'The kind of object.' }),
    id: Type.String({ description: 'Its id.' }),
    name: Type.String({ description: 'Its name.' }),
  },
  { title: 'Reference', description: 'An object that refers to another.' },
)

const reference = {
  type: 'campaign',
  id: 'cmp_01m7yez275fk1a52pr5qevn8kn',
  name: 'Spring Sale 2026',
}

const textOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })
const integerOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description })

export const StaleOperation = Type.Object(
  {
    index: Type.Integer({ description: 'Position of the operation.' }),
    resource: Type.String({ description: 'The kind of object.' }),
    id: textOrNull('The object; null for a creation.'),
    version_seen: integerOrNull('Its version when the operation was tried.'),
    current_version: integerOrNull(
      'Its version now; null if it is gone. The same as `version_seen` where something else makes the operation do something else.',
    ),
    changed_by: textOrNull('Id of the user or API key that changed it last.'),
    changed_at: textOrNull('When that was.'),
  },
  {
    title: 'StaleOperation',
    description: 'An operation that would not do any more what was tried.',
  },
)
export type StaleOperation = Type.Static<typeof StaleOperation>

const EnvelopeShare = Type.Object(
  {
    currency: Type.String({ description: 'The currency, as ISO 4217 has it.' }),
    limit_minor: Type.Integer({ description: 'The envelope for 24 hours, in minor units.' }),
    used_minor: Type.Integer({ description: 'Taken of it in the last 24 hours.' }),
    asked_minor: Type.Integer({ description: 'The raise of the change set.' }),
  },
  { title: 'EnvelopeShare', description: 'An agent’s envelope in one currency.' },
)
export type EnvelopeShare = Type.Static<typeof EnvelopeShare>

const share = { currency: 'USD', limit_minor: 20_000, used_minor: 15_000, asked_minor: 9_000 }

const stale = {
  index: 0,
  resource: 'campaign',
  id: reference.id,
  version_seen: 3,
  current_version: 4,
  changed_by: 'usr_01m7yez275fk1a52pr5qevn8kn',
  changed_at: '2026-11-21T09:30:00.000Z',
}

/** The members of each code, beyond those that every problem document has. */
const problemMembers = {
  change_set_stale: {
    stale: Type.Array(StaleOperation, {
      description: 'The operations, in order.',
      examples: [[stale]],
    }),
  },
  invalid_credentials: {
    tries_left: Type.Optional(
      Type.Integer({
        description: 'Of a challenge: how many more answers it takes. With 0, log in again.',
        examples: [4],
      }),
    ),
  },
  second_factor_required: {
    challenge: textOrNull(
      'What the second step of the login sends back; null where the same request is repeated with `otp`.',
    ),
    methods: Names('The fields by which it can be answered.', ['otp', 'recovery_code']),
  },
  agent_envelope_exceeded: {
    envelope: Type.Array(EnvelopeShare, {
      description: 'The currencies that the change set raises.',
      examples: [[share]],
    }),
  },
  insufficient_role: {
    required_roles: Names('The roles that may do it.', ['owner', 'admin']),
  },
  method_not_allowed: {
    allowed_methods: Names('The methods of this path.', ['GET', 'HEAD', 'POST']),
  },
  invalid_state_transition: {
    current_status: Status,
    action: Action,
    allowed_actions: AllowedActions,
  },
  resource_in_use: {
    references: Type.Array(Reference, {
      title: 'References',
      description: 'The objects that use it, at most 10.',
      examples: [[reference]],
    }),
    reference_count: Type.Integer({ description: 'How many objects use it.', examples: [1] }),
  },
  limit_exceeded: {
    resource: Type.String({ description: 'What is limited.', examples: ['campaigns'] }),
    limit: Type.Integer({
      description: 'The most there may be; of storage, in bytes.',
      examples: [10_000],
    }),
  },
  lease_held: {
    profile_ids: Names('The accounts that another holds.', ['prf_01m7yez275fk1a52pr5qevn8kn']),
  },
  launch_blocked: {
    blocked_by: Names('Why the campaign cannot run.', ['profile_not_active']),
  },
  approval_required: {
    current_status: Status,
    action: Type.Optional(Action),
    allowed_actions: Names('The actions that are possible instead.', ['submit']),
  },
  version_mismatch: {
    current_version: Type.Integer({ description: 'The version of the object now.', examples: [4] }),
  },
  guardrail_violation: {
    rule: Type.String({ description: 'The broken guardrail.', examples: ['max_daily_budget'] }),
    limit: Amount('The largest amount that the rule allows, in major units.', 1000),
    requested: Amount('The amount compared with `limit`, in major units.', 1200),
    currency: Type.String({ description: 'The currency of the amounts.', examples: ['USD'] }),
  },
} as const satisfies Partial<Record<ProblemCode, TProperties>>

type CodeWithMembers = keyof typeof problemMembers

/** The members of a problem of this code; most codes have none. */
export type MembersOf<Code extends ProblemCode> = Code extends CodeWithMembers
  ? Type.Static<Type.TObject<(typeof problemMembers)[Code]>>
  : Readonly<Record<never, unknown>>

/** The schemas of a code's own members, by name. */
export const membersOf = (code: ProblemCode): TProperties =>
  Object.entries(problemMembers).find(([name]) => name === code)?.[1] ?? {}

type NamesIn<Members> = Members extends unknown ? keyof Members : never

/** Under names that every fault has. */
type InEachFault = 'allowed_actions' | 'limit'

/** Members that an item of `errors[]` takes over from the problem of a single operation. */
export type FaultMember = Exclude<NamesIn<MembersOf<(typeof operationCodes)[number]>>, InEachFault>

export const faultMembers: TProperties = ownMembersOfFaults()

function ownMembersOfFaults(): TProperties {
  const {
    allowed_actions: _,
    limit: __,
    ...own
  } = Object.assign({}, ...operationCodes.map(membersOf))
  return own
}
