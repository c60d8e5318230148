import { Type } from 'typebox'
import { applyModes } from '../../identity/agents/terms.ts'
import { keyRoles } from '../../identity/permissions.ts'
import { AmountsIn, AmountsOut } from '../../schema/amounts.ts'
import {
  bodyOf,
  choice,
  idOf,
  nameLike,
  orNull,
  pageOfSchema,
  readOnlyOf,
  shownOnce,
  stamps,
  text,
  time,
} from '../../schema/fields.ts'
import { ScopeOrNull } from '../../schema/scope.ts'
import { apiKeyIds } from '../../values/core-ids.ts'

export const apiKeyStatuses = ['active', 'expired'] as const

const Role = choice(keyRoles, {
  title: 'ApiKeyRole',
  description:
    'Upper limit of the key’s permissions; it never exceeds the current permissions of the user who created it. Cannot be changed. A `reporter` only reads campaigns and reports results; a `connector` runs them in a network; a `provisioner` keeps members by SCIM, at `/scim/v2`, and reaches nothing else.',
})

const Apply = choice(applyModes, {
  title: 'AgentApply',
  description:
    'Which of its change sets it applies by itself: none, those that a person has approved, or also those within `envelope_24h`.',
})

const envelopeText =
  'What its change sets may make a day cost more, together in 24 hours, by currency, in major units. A currency that is not listed is 0.'

const agentOptions = {
  title: 'Agent',
  description:
    'What the key of a language model may do; null for other keys. It changes campaigns and templates by change sets only, always pauses, and sees nothing of people.',
}

const agent = orNull(
  Type.Object({ apply: Apply, envelope_24h: orNull(AmountsOut(envelopeText)) }, agentOptions),
)

const agentInput = orNull(
  Type.Object(
    {
      apply: Apply,
      envelope_24h: Type.Optional(orNull(AmountsIn(envelopeText))),
    },
    { ...agentOptions, title: 'AgentInput', additionalProperties: false },
  ),
)

const apiKey = {
  id: idOf(apiKeyIds, 'API key identifier; the actor id in audit records and events.'),
  name: text('Name of the key.'),
  role: Role,
  scope: ScopeOrNull,
  agent,
  stopped_at: orNull(time('Since when the writes of the agent are stopped.')),
  key_hint: text('The last four characters of the key.'),
  status: choice(apiKeyStatuses, {
    title: 'ApiKeyStatus',
    description: 'Whether `expires_at` has passed.',
  }),
  expires_at: orNull(time('When it expires; null: never.')),
  last_used_at: orNull(time('When the key was last used, to about a minute.')),
  ...stamps,
}

export const ApiKey = Type.Object(apiKey, {
  title: 'ApiKey',
  description: 'A credential for programs; the key itself is shown once.',
})
export type ApiKey = Type.Static<typeof ApiKey>

export const ApiKeyList = pageOfSchema(ApiKey)

export const CreatedApiKey = Type.Object(
  {
    ...apiKey,
    key: shownOnce('Send it as `Authorization: Bearer <key>`.'),
  },
  { title: 'CreatedApiKey', basedOn: ApiKey },
)
export type CreatedApiKey = Type.Static<typeof CreatedApiKey>

const apiKeyFields = {
  name: nameLike('Reporting'),
  role: Role,
  scope: Type.Optional(ScopeOrNull),
  agent: Type.Optional(agentInput),
  expires_at: Type.Optional(
    orNull(
      Type.String({
        format: 'date-time',
        description: 'The key is refused from then on. Omitted or null: never expires.',
        examples: ['2027-11-21T00:00:00.000Z'],
      }),
    ),
  ),
}

export const ApiKeyBody = bodyOf(apiKeyFields, {
  title: 'ApiKeyInput',
  readOnlyFields: readOnlyOf(CreatedApiKey, apiKeyFields),
})
export type ApiKeyInput = Type.Static<typeof ApiKeyBody>

export const StopBody = bodyOf(
  {
    reason: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'Why; also in the audit log.' }),
    ),
  },
  { title: 'StopInput' },
)
