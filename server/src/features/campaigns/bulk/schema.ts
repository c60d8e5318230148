import { type TSchema, Type } from 'typebox'
import { bodyOf, choice, orNull, Version } from '../../../schema/fields.ts'
import { actions } from '../lifecycle/transitions.ts'
import { Campaign, CampaignBody, CampaignChanges, ReasonBody } from '../schema.ts'

const id = Type.String({ description: 'The campaign’s id.' })

const version = Type.Optional({
  ...Version,
  description:
    'The version that the change starts from: another one is 412 for this operation. Needed to approve (428).',
})

const only = <const Name extends string>(name: Name) => choice([name])

const action = choice(actions)

/** `reject` needs its reason; the others take nothing. */
const ActionBody = bodyOf(Type.Partial(ReasonBody).properties, { title: 'BulkActionBody' })

/** Each operation, with the body that the single request has. */
const operationShapes = {
  create: bodyOf({ op: only('create'), body: CampaignBody }, { title: 'BulkCreate' }),
  update: bodyOf(
    { op: only('update'), id, body: CampaignChanges, version },
    { title: 'BulkUpdate' },
  ),
  action: bodyOf(
    { op: only('action'), id, action, body: Type.Optional(ActionBody), version },
    { title: 'BulkAction' },
  ),
  delete: bodyOf({ op: only('delete'), id, version }, { title: 'BulkDelete' }),
}

export type OperationName = keyof typeof operationShapes
const operationNames = Object.keys(operationShapes) as OperationName[]

/** An operation without a look into its body, which is checked as that of the single request. */
export const shellOf = (name: OperationName): TSchema => {
  const shape: { properties: Record<string, TSchema> } = operationShapes[name]
  const { body, ...rest } = shape.properties
  return { ...shape, properties: { ...rest, ...(body ? { body: {} } : {}) } }
}

/** What tells one operation from another. */
export const AnyOperation = Type.Object({ op: choice(operationNames) })

const mostOperations = 100

export const BulkBody = bodyOf(
  {
    mode: choice(['atomic', 'partial'], {
      description: 'atomic: all operations or none. partial: each that can be done.',
    }),
    operations: Type.Unsafe<unknown[]>({
      type: 'array',
      minItems: 1,
      maxItems: mostOperations,
      items: { anyOf: Object.values(operationShapes) },
      checkedApart: true,
      description: 'Done in this order; each sees what those before it did.',
    }),
  },
  { title: 'BulkInput' },
)
export type BulkInput = Type.Static<typeof BulkBody>

const problem = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  description: 'The problem document of the single request, with pointers into this one.',
})

const BulkResult = Type.Object(
  {
    index: Type.Integer({ description: 'Position of the operation in the request.' }),
    status: Type.Integer({ description: 'What the single request would be answered with.' }),
    id: orNull(Type.String({ description: 'The campaign; null where none was made.' })),
    object: Type.Optional(orNull(Campaign)),
    problem: Type.Optional(problem),
  },
  {
    title: 'BulkResult',
    description: '`object` where the operation succeeded (null: deleted), `problem` where not.',
  },
)
export type BulkResult = Type.Static<typeof BulkResult>

export const BulkReply = Type.Object(
  { results: Type.Array(BulkResult, { description: 'One for each operation, in their order.' }) },
  { title: 'BulkReply' },
)
export type BulkReply = Type.Static<typeof BulkReply>
