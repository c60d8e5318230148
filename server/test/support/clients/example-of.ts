import { peopleExamples } from '../cases/people/people-cases.ts'
import { reads, writes } from '../cases/write-cases.ts'

type Called = { readonly method: string; readonly path: string }

/** As in the tables of examples: `POST /campaigns/:id/launch`. */
export const keyOf = ({ method, path }: Called): string =>
  `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`

/** An id of each collection that is read. */
const makers: Readonly<Record<string, string>> = {
  'GET /members/:id': 'DELETE /members/:id',
  'GET /api_keys/:id': 'DELETE /api_keys/:id',
  'GET /webhook_endpoints/:id/deliveries/:delivery_id':
    'POST /webhook_endpoints/:id/deliveries/:delivery_id/redeliver',
}

/** The example that makes the object of an operation; its own, or another's of the same collection. */
export function exampleOf(operation: Called) {
  const key = keyOf(operation)
  const [, collection] = operation.path.split('/')
  const own = peopleExamples[key] ?? writes[key] ?? reads[key] ?? writes[makers[key] ?? '']
  return own ?? writes[`PUT /${collection}/:id`] ?? writes[`DELETE /${collection}/:id`]
}

/** Whether the operation needs what its example arranges. */
export const isArranged = (operation: Called): boolean =>
  operation.path.includes('{') ||
  [peopleExamples, writes, reads].some((each) => keyOf(operation) in each)
