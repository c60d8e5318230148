import { Type } from 'typebox'
import { ItemProblem } from '../../../problems/schema.ts'
import { bodyOf, choice, orNull, text } from '../../../schema/fields.ts'
import { errorCodes, StateName } from '../resource.ts'
import { CoveredInput, instant, NetworkObjectId, Observed, shortLine } from '../schema.ts'
import { lease, triedIn } from './schema.ts'

const text1k = (description: string) => Type.String({ maxLength: 1_000, description })
const code = (description: string) =>
  Type.Optional(orNull(Type.String({ maxLength: 200, description })))

const ErrorIn = bodyOf(
  {
    code: choice(errorCodes, { description: 'The kind of fault.' }),
    message: text1k('The fault in one sentence.'),
    errors: Type.Optional(
      Type.Array(bodyOf({ pointer: text1k('The field.'), message: text1k('The fault.') }), {
        maxItems: 50,
        description: 'Faults of single fields.',
      }),
    ),
    network: Type.Optional(
      orNull(
        bodyOf(
          {
            code: code('The network’s code.'),
            subcode: code('Its second code.'),
            request_id: code('Its id of the request.'),
          },
          { description: 'What the network said.' },
        ),
      ),
    ),
  },
  { title: 'DeploymentErrorInput', description: 'Why it was not done.' },
)

const outcomes = [
  'applied',
  'unchanged',
  'observed',
  'failed',
  'blocked',
  'gone',
  'unknown_outcome',
  'checked',
] as const

export const ReportIn = bodyOf(
  {
    deployment_id: Type.String({ maxLength: 64, description: 'The deployment.' }),
    generation: Type.Integer({ minimum: 1, description: 'The generation that it is about.' }),
    outcome: choice(outcomes, { description: 'What became of it.' }),
    network_object_id: Type.Optional(orNull(NetworkObjectId)),
    network_url: Type.Optional(
      orNull(
        Type.String({
          maxLength: 1_000,
          pattern: '^https?://[^\\s\\u0000-\\u001f]+$',
          description: 'Its page in the network.',
        }),
      ),
    ),
    observed: Type.Optional(orNull(Observed)),
    coverage: Type.Optional(CoveredInput),
    network_delivery: Type.Optional(
      orNull(
        bodyOf(
          {
            state: choice(['delivering', 'not_delivering', 'unknown'], {
              description: 'Whether it delivers.',
            }),
            reasons: Type.Array(text1k('A reason in plain words.'), {
              maxItems: 50,
              description: 'Why not.',
            }),
          },
          { description: 'What the network says of its delivery.' },
        ),
      ),
    ),
    error: Type.Optional(orNull(ErrorIn)),
    retry_after_seconds: Type.Optional(
      orNull(Type.Integer({ minimum: 1, maximum: 86_400, description: 'When to try again.' })),
    ),
  },
  { title: 'ConnectorReportItem' },
)
export type ReportInput = Type.Static<typeof ReportIn>

const CheckIn = bodyOf(
  {
    ...triedIn,
    outcome: choice(['accepted', 'refused'], { description: 'What the network said.' }),
    error: Type.Optional(orNull(ErrorIn)),
  },
  { title: 'ConnectorCheckResult' },
)
export type CheckInput = Type.Static<typeof CheckIn>

const Account = {
  ref: shortLine(128, 'The account’s id.'),
  name: Type.Optional(orNull(Type.String({ maxLength: 255, description: 'Its name.' }))),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.' }),
  time_zone: shortLine(64, 'IANA name.'),
  status: choice(['active', 'suspended', 'closed'], { description: 'Whether it may run ads.' }),
}

const credential = {
  state: choice(['valid', 'expiring', 'expired', 'invalid'], { description: 'Whether it works.' }),
  expires_at: Type.Optional(orNull(instant)),
}

export const ReportsBody = bodyOf(
  {
    ...lease,
    profile_id: Type.Optional(
      orNull(
        Type.String({ maxLength: 64, description: 'The account, where the lease has several.' }),
      ),
    ),
    account: Type.Optional(
      orNull(
        bodyOf(Account, {
          title: 'NetworkAccountInput',
          description: 'The account, as it is in the network.',
        }),
      ),
    ),
    credential: Type.Optional(
      orNull(
        bodyOf(credential, {
          title: 'NetworkCredentialInput',
          description: 'The credential for the account.',
        }),
      ),
    ),
    reports: Type.Array(ReportIn, { maxItems: 100, description: 'What became of the work.' }),
    checks: Type.Optional(
      Type.Array(CheckIn, {
        maxItems: 100,
        description:
          'What the network says of deployments as change sets would leave them. What has been tried anew since is passed over.',
      }),
    ),
  },
  { title: 'ConnectorReportsInput' },
)
export type ReportsInput = Type.Static<typeof ReportsBody>

const ReportResult = Type.Object(
  {
    index: Type.Integer({ description: 'Position of the report in the request.' }),
    status: Type.Integer({ description: 'The status that it would get alone.' }),
    deployment_id: text('The deployment.'),
    state: Type.Optional(StateName),
    generation: Type.Optional(Type.Integer({ description: 'Its newest generation.' })),
    problem: Type.Optional(ItemProblem('Why it was not taken.')),
  },
  { title: 'ConnectorReportResult' },
)
export type ReportResult = Type.Static<typeof ReportResult>

export const ReportsReply = Type.Object(
  {
    results: Type.Array(ReportResult, { description: 'One per report, in the same order.' }),
    inventory_wanted: Type.Optional(
      Type.Boolean({
        description:
          'With `account`: whether its inventory is to be sent. If not, it can wait until something of it changes.',
      }),
    ),
  },
  { title: 'ConnectorReportsReply' },
)
export type ReportsReply = Type.Static<typeof ReportsReply>
