import { Type } from 'typebox'
import {
  bodyOf,
  changesOf,
  choice,
  idOf,
  nameLike,
  pageOfSchema,
  readOnlyOf,
  stamps,
} from '../../schema/fields.ts'
import { viewed, viewIds } from './resource.ts'

const maxQueryBytes = 4096
const maxColumns = 50

const Resource = choice(viewed, { title: 'ViewedList', description: 'The list that it is of.' })

/** Without spaces and other than ASCII, as in an address: a character is a byte. */
const Query = Type.String({
  maxLength: maxQueryBytes,
  pattern: '^[!-~]*$',
  description: 'Filters and order as in an address, percent-encoded, without `?`.',
  examples: ['status=active&sort=-daily_budget'],
})

const Columns = Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: '^[!-~]+$' }), {
  maxItems: maxColumns,
  uniqueItems: true,
  description: 'Names of the columns, in their order; empty: the usual ones.',
  examples: [['name', 'status', 'daily_budget']],
})

const Shared = Type.Boolean({
  description: 'Seen by the organization, by members with a scope only if it is theirs.',
})

const viewFields = {
  name: nameLike('Overspending'),
  query: Query,
  columns: Columns,
  shared: Shared,
}

const view = {
  id: idOf(viewIds, 'View identifier.'),
  resource: Resource,
  ...viewFields,
  ...stamps,
}

export const View = Type.Object(view, {
  title: 'View',
  description: 'Saved filters, order and columns of a list.',
})
export type View = Type.Static<typeof View>

export const ViewList = pageOfSchema(View)

/** Response fields that only the service writes, or only the creation. */
export const readOnlyFields = readOnlyOf(View, viewFields)

const { name, ...others } = viewFields

export const ViewBody = bodyOf(
  { resource: Resource, name, ...Type.Partial(Type.Object(others)).properties },
  { title: 'ViewInput', readOnlyFields: readOnlyFields.filter((field) => field !== 'resource') },
)
export type ViewInput = Type.Static<typeof ViewBody>

export const ViewChanges = changesOf(viewFields, readOnlyFields, 'ViewChanges')
export type ViewChanges = Type.Static<typeof ViewChanges>
