import { expect, test } from 'vitest'
import { fieldRows } from './field-tables.ts'

const schemas = {
  Text: { type: 'string', minLength: 1, maxLength: 255, description: 'A text.' },
  Body: {
    required: ['name'],
    properties: {
      name: { $ref: '#/components/schemas/Text' },
      note: {
        anyOf: [{ $ref: '#/components/schemas/Text' }, { type: 'null' }],
        description: 'A note.',
      },
      at: { format: 'date-time', maxLength: 40, description: 'When it is.' },
      ref: { pattern: '^prf_[0-7]', maxLength: 64, description: 'An id.' },
      kind: { enum: ['a', 'b'], description: 'The kind.' },
      port: { minimum: 1, maximum: 65_535, description: 'The port.' },
      tags: { maxItems: 50, items: { maxLength: 80 }, description: 'Tags.' },
      more: {
        maxProperties: 9,
        additionalProperties: { maxLength: 500 },
        propertyNames: { pattern: '^a$' },
        description: 'More.',
      },
    },
  },
}

test('a field has a row with its description and bounds', () => {
  expect(fieldRows(schemas, 'Body')).toEqual([
    ['`name`', 'Required. A text. 1 to 255 characters.'],
    ['`note`', 'A note. 1 to 255 characters.'],
    ['`at`', 'When it is.'],
    ['`ref`', 'An id.'],
    ['`kind`', 'The kind. `a` `b`.'],
    ['`port`', 'The port. 1 to 65,535.'],
    ['`tags`', 'Tags. At most 50 items, of at most 80 characters each.'],
    ['`more`', 'More. At most 9 keys, with values of at most 500 characters. Keys match `^a$`.'],
  ])
})

test('a body that the document does not have is an error', () => {
  expect(() => fieldRows(schemas, 'Other')).toThrow('no body is called Other')
})
