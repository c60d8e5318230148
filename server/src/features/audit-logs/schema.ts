import { Type } from 'typebox'
import { choice, idOf, orNull, pageOfSchema, Time } from '../../schema/fields.ts'

export const outcomes = ['success', 'denied', 'failed'] as const

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

const NullableText = orNull(Type.String())

const Change = Type.Object({
  field: Type.String(),
  before: Type.Unknown({ description: 'Null if there was no value; secrets read `[redacted]`.' }),
  after: Type.Unknown(),
})

const Request = Type.Unsafe<RequestFacts | null>({
  type: ['object', 'null'],
  description: 'Null for actions of the service itself or its command line.',
  properties: {
    id: { type: 'string' },
    method: { type: 'string' },
    path: { type: 'string' },
    status: { type: 'integer' },
    ip: { type: 'string' },
    user_agent: { type: ['string', 'null'] },
  },
  required: ['id', 'method', 'path', 'status', 'ip', 'user_agent'],
})

type RequestFacts = {
  id: string
  method: string
  path: string
  status: number
  ip: string
  user_agent: string | null
}

export const AuditLog = Type.Object(
  {
    id: idOf('audit_log'),
    sequence: Type.Integer({ minimum: 1, description: 'Increases by one, without gaps.' }),
    occurred_at: Time,
    action: Type.String({ examples: ['campaign.paused'] }),
    outcome: choice(outcomes),
    actor: Type.Object({
      type: choice(['user', 'api_key', 'system', 'cli', 'anonymous']),
      id: NullableText,
      name: NullableText,
    }),
    resource: Type.Object({ type: Type.String(), id: NullableText, name: NullableText }),
    changes: Type.Array(Change),
    reason: orNull(
      Type.String({
        description:
          'The reason given by the client: `X-Audit-Reason`, a used `X-Override-Reason`, or the reason of a rejection.',
      }),
    ),
    request: Request,
    prev_hash: Hash,
    hash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description:
        'SHA-256, in hex, of `prev_hash`, a line feed, and the RFC 8785 JSON of this record without `prev_hash` and `hash`. The first record’s `prev_hash` is 64 zeros.',
    }),
  },
  { title: 'AuditLog' },
)
export type AuditLog = Type.Static<typeof AuditLog>

export const AuditLogList = pageOfSchema(AuditLog)

export const AuditCheckpoint = Type.Object(
  {
    sequence: Type.Integer({
      minimum: 1,
      description: 'Sequence of the newest record at the time.',
    }),
    head_hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Hash of that record.' }),
    signed_at: Time,
    key_id: idOf('signing_key', 'The `kid` of the key in `/.well-known/jwks.json`.'),
    signature: Type.String({
      description:
        'A compact JWS (EdDSA, `typ` `audit-checkpoint+jwt`) of `org`, `sequence`, `hash` and `iat`: the organization and the values shown here.',
    }),
  },
  { title: 'AuditCheckpoint' },
)
export type AuditCheckpoint = Type.Static<typeof AuditCheckpoint>

export const AuditCheckpointList = pageOfSchema(AuditCheckpoint)

export const Verification = Type.Object(
  {
    valid: Type.Boolean({
      description:
        'True if every record is unchanged, none is missing and every checkpoint matches.',
    }),
    from_sequence: orNull(
      Type.Integer({ description: 'First record verified; null if there are none.' }),
    ),
    to_sequence: orNull(Type.Integer({ description: 'Last record verified.' })),
    head_hash: orNull(Type.String({ description: 'Hash of the last record verified.' })),
    first_bad_sequence: orNull(
      Type.Integer({
        description:
          'Where the chain breaks: the first record that was changed, is missing, or contradicts a checkpoint.',
      }),
    ),
    since_checkpoint: Type.Optional(
      orNull(
        Type.Integer({
          description:
            'Only with `since_checkpoint=true`: sequence of the checkpoint where verification started. Null if there was none and all records were verified.',
        }),
      ),
    ),
    checkpoints: Type.Object(
      {
        count: Type.Integer({
          description: 'Number of signed checkpoints compared with the chain.',
        }),
        last_sequence: orNull(
          Type.Integer({ description: 'Sequence of the newest one; null if there are none.' }),
        ),
      },
      { description: 'A chain that ends before its newest checkpoint was truncated.' },
    ),
  },
  { title: 'AuditVerification' },
)
export type Verification = Type.Static<typeof Verification>

export const exportFormats = ['ndjson', 'csv'] as const
