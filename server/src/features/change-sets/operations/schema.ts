import { type TSchema, Type } from 'typebox'
import { StaleOperation } from '../../../problems/members.ts'
import { ItemProblem } from '../../../problems/schema.ts'
import {
  bodyOf,
  choice,
  minorUnits,
  orNull,
  pageOfSchema,
  text,
  time,
  Version,
} from '../../../schema/fields.ts'
import { exampleId } from '../../../values/ids.ts'
import { keysOf } from '../../../values/objects.ts'
import { ActionBody } from '../../campaigns/bulk/schema.ts'
import { ActionName } from '../../campaigns/lifecycle/names.ts'
import { campaignIds } from '../../campaigns/resource.ts'
import { CampaignBody, CampaignChanges } from '../../campaigns/schema.ts'
import { ClientBody, ClientChanges } from '../../clients/schema.ts'
import { ProfileBody, ProfileChanges } from '../../profiles/schema.ts'
import { ProxyBody, ProxyChanges } from '../../proxies/schema.ts'
import { TemplateBody, TemplateChanges } from '../../templates/schema.ts'
import { changeSetFields } from '../schema.ts'

export const resources = ['campaign', 'client', 'profile', 'proxy', 'template'] as const
export type ResourceName = (typeof resources)[number]

const effects = ['create', 'update', 'action', 'delete', 'unchanged', 'failed'] as const
export type Effect = (typeof effects)[number]

const refPattern = '^[A-Za-z0-9_.-]{1,64}$'

const resource = Type.Optional(
  choice(resources, { description: 'The kind of object. Default: `campaign`.' }),
)

const id = Type.String({
  minLength: 1,
  maxLength: 65,
  description: 'The object’s id, or `@` and the `ref` of an earlier creation.',
  examples: [exampleId(campaignIds)],
})

const version = Type.Optional({
  ...Version,
  description: 'The expected version. Default: the one that the trial sees.',
})

const ref = Type.Optional(
  Type.String({
    pattern: refPattern,
    description:
      'A name for the new object: later operations may say `@<ref>` as their `id`, and as `client_id`, `profile_id`, `proxy_id` and `template_id` of their bodies, or of a template’s `defaults`.',
    examples: ['summer'],
  }),
)

const only = <const Name extends string>(name: Name) =>
  choice([name], { description: 'The kind of operation.' })

const shapes = {
  create: bodyOf(
    {
      op: only('create'),
      resource,
      ref,
      body: Type.Union([CampaignBody, ClientBody, ProfileBody, ProxyBody, TemplateBody], {
        description: 'The body of the single request.',
      }),
    },
    { title: 'ChangeSetCreate' },
  ),
  update: bodyOf(
    {
      op: only('update'),
      resource,
      id,
      version,
      body: Type.Union(
        [CampaignChanges, ClientChanges, ProfileChanges, ProxyChanges, TemplateChanges],
        {
          description: 'The body of the single request.',
        },
      ),
    },
    { title: 'ChangeSetUpdate' },
  ),
  action: bodyOf(
    {
      op: only('action'),
      resource: Type.Optional(
        choice(['campaign'], { description: 'Only campaigns have actions.' }),
      ),
      id,
      version,
      action: ActionName,
      body: Type.Optional(ActionBody),
    },
    { title: 'ChangeSetAct' },
  ),
  delete: bodyOf({ op: only('delete'), resource, id, version }, { title: 'ChangeSetDelete' }),
}

export type OperationName = keyof typeof shapes
export const operationNames = keysOf(shapes)

/** The discriminator between operations. */
export const AnyOperation = Type.Object({
  op: choice(operationNames, { description: 'The kind of operation.' }),
})

/** An operation without its body, which is tried as that of the single request. */
export function shellOf(name: OperationName): TSchema {
  const shape: { properties: Record<string, TSchema> } = shapes[name]
  const { body, ...rest } = shape.properties
  const held = body && { body: { type: 'object', description: 'The body.' } }
  return { ...shape, properties: { ...rest, ...held } }
}

const maxOperations = 1_000

export const ChangeSetBody = bodyOf(
  {
    ...changeSetFields,
    operations: Type.Unsafe<unknown[]>({
      type: 'array',
      minItems: 1,
      maxItems: maxOperations,
      items: { anyOf: Object.values(shapes) },
      checkedApart: true,
      description: 'Tried and applied in order; each sees the effects of those before it.',
    }),
  },
  { title: 'ChangeSetInput' },
)
export type ChangeSetInput = Type.Static<typeof ChangeSetBody>

const open = (description: string) => Type.Unknown({ description })

const Change = Type.Object(
  {
    field: text('Name of the field.'),
    before: open('Null if there was no value; secrets read `[redacted]`.'),
    after: open('Null if there is no value any more.'),
  },
  { title: 'ChangeSetFieldChange' },
)

const Warning = Type.Object(
  {
    pointer: orNull(text('JSON pointer; null if it is about no field.')),
    code: text('Code of the warning.'),
    message: text('What may be unintended.'),
  },
  { title: 'ChangeSetWarning' },
)

const problem = orNull(ItemProblem('Why it fails; null if it does not.'))

const sentBody = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  description: 'As it was sent. Null where none was, and of proxies, whose bodies have secrets.',
})

const Left = Type.Object({
  field: text('Name of the field.'),
  found: open('What it is now.'),
  reason: text('Why it was left: `changed`, `impossible`, or the code of a problem.'),
})

const ratio = (description: string) => orNull(Type.Number({ description }))

const Evidence = Type.Object(
  {
    spend_minor: minorUnits('Spent, before adjustments, in the campaign’s currency.'),
    conversions: ratio('Null if nothing was reported.'),
    cpa: ratio('Spend ÷ conversions, in major units.'),
    roas: ratio('Conversion value ÷ spend.'),
    window: Type.Object(
      { from: text('First day.'), to: text('The day after the last one.') },
      { description: 'The days, in the campaign’s time zone.' },
    ),
  },
  {
    title: 'ChangeSetEvidence',
    description: 'What the campaign achieved in the last 7 complete days, as of this answer.',
  },
)

const Result = Type.Object(
  {
    status: Type.Integer({ description: 'The status that the single request would get.' }),
    version: orNull(Type.Integer({ description: 'Version of the object after it.' })),
    reverted: orNull(Type.Array(Type.String(), { description: 'Fields that were set back.' })),
    left: orNull(Type.Array(Left, { description: 'Fields that were not, and why.' })),
  },
  { title: 'ChangeSetResult', description: 'What became of it.' },
)

const NetworkError = Type.Object(
  {
    code: text('The kind of fault, as a deployment has it.'),
    message: text('The fault in one sentence.'),
    errors: Type.Array(Type.Object({ pointer: text('The field.'), message: text('The fault.') }), {
      description: 'Faults of single fields.',
    }),
  },
  { title: 'NetworkRefusal', description: 'Why the network would refuse it.' },
)

const NetworkCheck = Type.Object(
  {
    deployment_id: text('The deployment that it changes.'),
    profile_id: text('Its account.'),
    outcome: choice(['open', 'accepted', 'refused'], {
      description: 'open: the connector of the account has not answered yet.',
    }),
    error: orNull(NetworkError),
    checked_at: orNull(time('When it answered.')),
  },
  {
    title: 'NetworkCheck',
    description:
      'What the network says of the campaign as it would be, without changing it: asked when it is proposed and refreshed, of the last operation of each deployed campaign.',
  },
)

export const ChangeSetOperation = Type.Object(
  {
    id: orNull(text('The object; null until it is created.')),
    index: Type.Integer({ description: 'Position in the change set.' }),
    resource: choice(resources, { description: 'The kind of object.' }),
    op: choice(operationNames, { description: 'The kind of operation.' }),
    action: orNull(ActionName),
    ref: orNull(text('What later operations call the new object.')),
    target: orNull(text('The `@<ref>` that was sent as its id.')),
    name: orNull(text('Name of the object.')),
    client: orNull(text('Whose account it is about, by the profile; null where that is unknown.')),
    effect: choice(effects, { description: 'What it counts as in `summary`.' }),
    version_seen: orNull(Type.Integer({ description: 'The object’s version at the trial.' })),
    changes: Type.Array(Change, {
      description: 'What it changes, or has changed. Times of the action itself are left out.',
    }),
    body: sentBody,
    warnings: Type.Array(Warning, { description: 'What may be unintended.' }),
    evidence: orNull(Evidence),
    stale: orNull(StaleOperation),
    problem,
    result: orNull(Result),
    network_check: orNull(NetworkCheck),
  },
  { title: 'ChangeSetOperation' },
)
export type ChangeSetOperation = Type.Static<typeof ChangeSetOperation>

export const ChangeSetOperationList = pageOfSchema(ChangeSetOperation)
