/** Schemas of the members of problem documents, for the document and for problems inside answers. */

import { type TProperties, Type } from 'typebox'
import { operationCodes } from './fault-codes.ts'
import { faultMembers, membersOf } from './members.ts'

/** Members of every problem but `errors`, whose schema differs by place. */
export const standardMembers = {
  type: {
    type: 'string',
    format: 'uri-reference',
    description: 'Page about the code, relative to the service.',
    examples: ['/problems/not_found'],
  },
  title: { type: 'string', description: 'What the code means; the same in each response.' },
  status: {
    type: 'integer',
    minimum: 400,
    maximum: 599,
    description: 'The status of the response.',
  },
  detail: { type: 'string', description: 'What is wrong with this request.' },
  instance: { type: 'string', format: 'uri-reference', description: 'The requested path.' },
  code: { type: 'string', description: 'Stable: branch on it.', examples: ['not_found'] },
  request_id: { type: 'string', description: 'Id of the request, also in the service’s log.' },
  retry: {
    type: 'string',
    enum: ['transient', 'correctable', 'terminal'],
    description: 'Whether the request can succeed: later as it is, after a correction, or never.',
  },
}

/** Fields of faults of any code. */
export const faultFields = {
  pointer: {
    type: 'string',
    description: 'JSON pointer into the body; names over 64 characters are truncated.',
  },
  parameter: { type: 'string', description: 'Name of a query parameter.' },
  header: { type: 'string', description: 'Name of a request header.' },
  code: { type: 'string', description: 'One of the `item_codes` of GET /reference/errors.' },
  message: { type: 'string', description: 'What is wrong; follows the name of the field.' },
  allowed: { type: 'array', items: {}, description: 'The accepted values.' },
  limit: {
    anyOf: [{ type: 'number' }, { type: 'string' }],
    description: 'The bound that the value exceeds.',
  },
  given: { description: 'The value that was sent.' },
}

export const errorsText = 'Every fault of the request, at most 50; empty if the code says it all.'

/** Members of all codes that one operation of several can have. */
export const itemMembers: TProperties = {
  ...Object.assign({}, ...operationCodes.map(membersOf)),
  limit: Type.Number({
    description: 'The most that the rule allows, or the most objects there may be.',
    examples: [1000],
  }),
}

/** A problem of one of several things, inside the answer about all of them. */
export const ItemProblem = (description: string) =>
  Type.Unsafe<object>({
    type: 'object',
    publishedAs: 'ItemProblem',
    description,
    properties: {
      ...standardMembers,
      ...itemMembers,
      errors: {
        type: 'array',
        items: { type: 'object', properties: { ...faultFields, ...faultMembers } },
        description: errorsText,
      },
    },
  })
