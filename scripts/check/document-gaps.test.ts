import { expect, test } from 'vitest'
import { gapsIn } from './document-gaps.ts'

const schemas = (parts: object) => ({ components: { schemas: parts } })
const text = { type: 'string', description: 'A text.' }

test('a described document has no gaps', () => {
  const Base = { properties: { code: text } }
  const refined = {
    properties: { code: { enum: ['a'] }, more: { $ref: '#/components/schemas/Text' } },
  }
  const document = schemas({
    Text: text,
    Base,
    Own: { allOf: [{ $ref: '#/components/schemas/Base' }, refined] },
  })
  expect(gapsIn(document)).toEqual([])
})

test('fields and parameters need a description, at any depth', () => {
  const item = { properties: { id: { type: 'string' }, properties: text, default: text } }
  const document = {
    paths: { '/things': { get: { parameters: [{ name: 'q', in: 'query' }] } } },
    ...schemas({ List: { properties: { data: { items: item, description: 'Rows.' } } } }),
  }
  expect(gapsIn(document)).toEqual([
    '/paths//things/get/parameters/0 has no description',
    '/components/schemas/List/properties/data/items/properties/id has no description',
  ])
})

test('a schema has one type, or one and null', () => {
  const both = { type: ['number', 'string'] }
  const nullable = { type: ['string', 'null'] }
  expect(gapsIn(schemas({ both, nullable }))).toEqual([
    '/components/schemas/both has several types: use anyOf',
  ])
})

test('an example has no references', () => {
  const example = { schema: { $ref: '#/$defs/Thing' } }
  expect(gapsIn({ paths: { '/a': { get: { example } } } })).toEqual([
    '/paths//a/get/example has a reference',
  ])
})

test('a document has at most 3,800 bytes an operation', () => {
  const paths = { '/things': { get: {}, post: {} } }
  const document = (length: number) => ({
    paths,
    ...schemas({ Long: { description: 'x'.repeat(length) } }),
  })
  expect(gapsIn(document(6_000))).toEqual([])
  expect(gapsIn(document(7_600))).toEqual([expect.stringContaining('at most 7600, 3800 an')])
})
