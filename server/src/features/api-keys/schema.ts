import { Type } from 'typebox'
import { roles } from '../../identity/permissions.ts'
import {
  bodyOf,
  choice,
  idOf,
  Name,
  orNull,
  pageOfSchema,
  readOnlyOf,
  stamps,
  Time,
} from '../../schema/fields.ts'

export const apiKeyStatuses = ['active', 'expired'] as const

const Role = choice(roles, {
  description:
    'Upper limit of the key’s permissions; it never exceeds the current permissions of the user who created it. Cannot be changed.',
})

const apiKey = {
  id: idOf('api_key', 'API key identifier; the actor id in audit records and events.'),
  name: Name,
  role: Role,
  key_hint: Type.String({ description: 'The last four characters of the key.' }),
  status: choice(apiKeyStatuses, { description: 'Whether `expires_at` has passed.' }),
  expires_at: orNull(Time),
  last_used_at: orNull(
    Type.String({
      format: 'date-time',
      description: 'When the key was last used, to about a minute.',
    }),
  ),
  ...stamps,
}

export const ApiKey = Type.Object(apiKey, { title: 'ApiKey' })
export type ApiKey = Type.Static<typeof ApiKey>

export const ApiKeyList = pageOfSchema(ApiKey)

export const CreatedApiKey = Type.Object(
  {
    ...apiKey,
    key: orNull(
      Type.String({
        description:
          'Send it as `Authorization: Bearer <key>`. Shown once: null when the request is replayed.',
      }),
    ),
  },
  { title: 'CreatedApiKey' },
)
export type CreatedApiKey = Type.Static<typeof CreatedApiKey>

const apiKeyFields = {
  name: Name,
  role: Role,
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
