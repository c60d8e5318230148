import { type TSchema, Type } from 'typebox'
import { ItemProblem } from '../../../problems/schema.ts'
import { bodyOf, choice, orNull, Version } from '../../../schema/fields.ts'
import { exampleId } from '../../../values/ids.ts'
import { keysOf } from '../../../values/objects.ts'
import { ActionName } from '../lifecycle/names.ts'
import { campaignIds } from '../resource.ts'
import { Campaign, CampaignBody, CampaignChanges } from '../schema.ts'
import { ReasonBody } from '../status/schema.ts'

const id = Type.String({ description: 'The campaign’s id.', examples: [exampleId(campaignIds)] })

const version = Type.Optional({
  ...Version,
  description:
    'The expected version; a different one fails this operation with 412. Required to approve (428).',
})

const only = <const Name extends string>(name: Name) =>
  choice([name], { description: 'The kind of operation.' })

/** `reject` requires a reason; the other actions may have one. */
export const ActionBody = bodyOf(Type.Partial(ReasonBody).properties, {
  title: 'BulkActionBody',
  description: 'The body of the action: `reject` requires its reason.',
})

/** Each operation, with the body of the single request. */
const operationShapes = {
  create: bodyOf({ op: only('create'), body: CampaignBody }, { title: 'BulkCreate' }),
  update: bodyOf(
    { op: only('update'), id, body: CampaignChanges, version },
    { title: 'BulkUpdate' },
  ),
  action: bodyOf(
    { op: only('action'), id, action: ActionName, body: Type.Optional(ActionBody), version },
    { title: 'BulkAction' },
  ),
  delete: bodyOf({ op: only('delete'), id, version }, { title: 'BulkDelete' }),
}

export type OperationName = keyof typeof operationShapes
const operationNames = keysOf(operationShapes)

/** An operation with its body unchecked; the body is validated as that of the single request. */
export const shellOf = (name: OperationName): TSchema => {
  const shape: { properties: Record<string, TSchema> } = operationShapes[name]
  const { body, ...rest } = shape.properties
  return { ...shape, properties: { ...rest, ...(body ? { body: {} } : {}) } }
}

/** The discriminator between operations. */
export const AnyOperation = Type.Object({
  op: choice(operationNames, { description: 'The kind of operation.' }),
})

const maxOperations = 100

export const BulkBody = bodyOf(
  {
    mode: choice(['atomic', 'partial'], {
      description:
        'atomic: all operations or none. partial: every operation that succeeds is applied.',
    }),
    operations: Type.Unsafe<unknown[]>({
      type: 'array',
      minItems: 1,
      maxItems: maxOperations,
      items: { anyOf: Object.values(operationShapes) },
      checkedApart: true,
      description: 'Applied in order; each sees the effects of those before it.',
    }),
  },
  { title: 'BulkInput' },
)
export type BulkInput = Type.Static<typeof BulkBody>

const problem = ItemProblem(
  'The problem document of the single request, with pointers into this request.',
)

const BulkResult = Type.Object(
  {
    index: Type.Integer({ description: 'Position of the operation in the request.' }),
    status: Type.Integer({ description: 'The status that the single request would get.' }),
    id: orNull(Type.String({ description: 'The campaign; null if none was created.' })),
    object: Type.Optional(orNull(Campaign)),
    problem: Type.Optional(problem),
  },
  {
    title: 'BulkResult',
    description:
      '`object` if the operation succeeded (null if it deleted the campaign; left out with `Prefer: return=minimal`), otherwise `problem`.',
  },
)
export type BulkResult = Type.Static<typeof BulkResult>

export const BulkReply = Type.Object(
  { results: Type.Array(BulkResult, { description: 'One per operation, in the same order.' }) },
  { title: 'BulkReply' },
)
export type BulkReply = Type.Static<typeof BulkReply>
