import { Type } from 'typebox'
import { signingKeyIds } from '../../crypto/signing-keys.ts'
import { Actor } from '../../schema/actor.ts'
import { choice, idOf, orNull, pageOfSchema, text, time } from '../../schema/fields.ts'
import { auditLogIds } from '../../values/core-ids.ts'

export const outcomes = ['success', 'denied', 'failed'] as const

const hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })

const Change = Type.Object({
  field: text('Name of the field.'),
  before: Type.Unknown({ description: 'Null if there was no value; secrets read `[redacted]`.' }),
  after: Type.Unknown({ description: 'Null if there is no value any more.' }),
})

const Request = Type.Unsafe<RequestFacts | null>({
  type: ['object', 'null'],
  description: 'Null for actions of the service itself or its command line.',
  properties: {
    id: text('Its `X-Request-Id`.'),
    method: text('Its method.'),
    path: text('Its path, without the query.'),
    status: Type.Integer({ description: 'Status of the response.' }),
    ip: text('Address of the client.'),
    user_agent: orNull(text('The `User-Agent` header.')),
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
    id: idOf(auditLogIds, 'Audit record identifier.'),
    sequence: Type.Integer({ minimum: 1, description: 'Increases by one, without gaps.' }),
    occurred_at: time('When it happened.'),
    action: text('What was done; for a change, the type of its event.'),
    outcome: choice(outcomes, {
      title: 'AuditOutcome',
      description: 'denied: refused for the role. failed: such as a wrong password.',
    }),
    actor: Actor,
    resource: Type.Object(
      {
        type: text('Kind of object.'),
        id: orNull(text('Its id; null if none was created.')),
        name: orNull(text('Its name at the time.')),
      },
      { description: 'What it was done to.' },
    ),
    changes: Type.Array(Change, { description: 'The changed fields.' }),
    reason: orNull(
      Type.String({
        description:
          'The reason given by the client: `X-Audit-Reason`, a used `X-Override-Reason`, or the reason of a rejection.',
      }),
    ),
    request: Request,
    change_set_id: Type.Optional(
      text('The change set that it was done by; absent from all other records.'),
    ),
    prev_hash: hash('The `hash` of the record before it.'),
    hash: hash(
      'SHA-256, in hex, of `prev_hash`, a line feed, and the RFC 8785 JSON of this record without `prev_hash` and `hash`. The first record’s `prev_hash` is 64 zeros.',
    ),
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
    head_hash: hash('Hash of that record.'),
    signed_at: time('When it was signed.'),
    key_id: idOf(signingKeyIds, 'The `kid` of the key in `/.well-known/jwks.json`.'),
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
