import { Type } from 'typebox'
import { orNull } from './fields.ts'

const idsOf = (prefix: string, description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      ...{ minItems: 1, maxItems: 100, uniqueItems: true },
      description,
      examples: [[`${prefix}_01m7yez275fk1a52pr5qevn8kn`]],
    }),
  )

/** The scope of a member or an API key. */
export const ScopeOrNull = orNull(
  Type.Object(
    {
      client_ids: idsOf('cli', 'What is of one of these clients.'),
      profile_ids: idsOf('prf', 'What is of one of these profiles.'),
      labels: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 80, trim: true }), {
          ...{ minItems: 1, maxItems: 20, uniqueItems: true },
          description: 'Campaigns with one of these labels.',
          examples: [['emea']],
        }),
      ),
    },
    {
      title: 'Scope',
      additionalProperties: false,
      minProperties: 1,
      description:
        'What it sees of the organization: what meets all members given; null: everything. Always null for owners and admins.',
    },
  ),
)
