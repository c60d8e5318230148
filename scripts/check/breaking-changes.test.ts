import { expect, test } from 'vitest'
import { breakingChanges } from './breaking-changes.ts'

type Json = Record<string, unknown>
type Parts = { input?: Json; output?: Json; parameters?: Json[]; more?: Json }

const base = {
  type: 'object',
  properties: { name: { type: 'string' }, kind: { type: 'string', enum: ['a', 'b'] } },
  required: ['name'],
}

/** A document with one operation. */
const documentOf = ({ input = base, output = base, parameters = [], more = {} }: Parts): Json => ({
  paths: {
    '/things': {
      post: {
        parameters,
        requestBody: { content: { 'application/json': { schema: input } } },
        responses: {
          201: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
        },
        ...more,
      },
    },
  },
  components: { schemas: { Thing: output } },
})

const changesBetween = (before: Parts, after: Parts) =>
  breakingChanges(documentOf(before), documentOf(after))

const withFields = (properties: Json, required = ['name']) => ({
  type: 'object',
  properties,
  required,
})
const query = (name: string, more: Json = {}) => ({
  name,
  in: 'query',
  schema: { type: 'string' },
  ...more,
})

test('additions are not breaking changes', () => {
  const output = withFields({
    ...base.properties,
    kind: { type: 'string', enum: ['a', 'b', 'c'] },
    more: {},
  })
  const input = withFields({ ...base.properties, more: { type: 'string' } })
  expect(changesBetween({}, { input, output, parameters: [query('q')] })).toEqual([])
})

test('a removed operation is a breaking change', () => {
  expect(breakingChanges(documentOf({}), { paths: {} })).toEqual(['POST /things is gone'])
})

test('a response field that is removed or becomes optional is a breaking change', () => {
  expect(changesBetween({}, { output: withFields({ name: { type: 'string' } }) })).toEqual([
    'POST /things: 201 reply/kind is gone',
  ])
  expect(changesBetween({}, { output: withFields(base.properties, []) })).toEqual([
    'POST /things: 201 reply/name may now be missing',
  ])
})

test('a changed type in a response is a breaking change, also in lists', () => {
  const list = (type: unknown) => ({ type: 'array', items: { type } })
  expect(changesBetween({ output: list('string') }, { output: list(['string', 'null']) })).toEqual([
    'POST /things: 201 reply/* may now be of type null',
  ])
})

test('a request that accepts less or requires more is a breaking change', () => {
  const kind = { type: 'string', enum: ['a'] }
  const input = withFields({ name: { type: 'integer' }, kind }, ['name', 'kind'])
  expect(changesBetween({}, { input })).toEqual([
    'POST /things: body/kind is now required',
    'POST /things: body/name no longer takes type string',
    'POST /things: body/kind no longer takes b',
  ])
})

test('number in place of integer is a breaking change in a response, not in a request', () => {
  const [integer, number] = [{ type: ['integer', 'null'] }, { type: ['number', 'null'] }]
  const [before, after] = [withFields({ name: integer }), withFields({ name: number })]
  expect(changesBetween({ input: before }, { input: after })).toEqual([])
  expect(changesBetween({ output: before }, { output: after })).toEqual([
    'POST /things: 201 reply/name may now be of type number',
  ])
})

test('parameters that are removed, narrowed or newly required are breaking changes', () => {
  const before = [query('a'), query('b')]
  const after = [
    query('b', { schema: { type: 'string', enum: ['x'] } }),
    query('c', { required: true }),
  ]
  expect(changesBetween({ parameters: before }, { parameters: after })).toEqual([
    'POST /things: query parameter a is gone',
    'POST /things: query parameter b now takes fixed values only',
    'POST /things: query parameter c is now required',
  ])
})

test('a public operation that now needs a token is a breaking change', () => {
  expect(changesBetween({ more: { security: [] } }, {})).toEqual([
    'POST /things: now needs a token',
  ])
})

test('parts of a combined schema are compared as those of a plain one', () => {
  const { name, ...others } = base.properties
  const combined = { allOf: [withFields({ name }), withFields(others, [])] }
  expect(changesBetween({}, { input: combined, output: combined })).toEqual([])
  const input = { allOf: [withFields({ name }), withFields(others, ['kind'])] }
  expect(changesBetween({}, { input })).toEqual(['POST /things: body/kind is now required'])
  const output = { allOf: [withFields({ name }), withFields({}, [])] }
  expect(changesBetween({}, { output })).toEqual(['POST /things: 201 reply/kind is gone'])
})

test('a schema or null is compared as that schema with null among its types', () => {
  const nullable = (kind: Json) => withFields({ ...base.properties, kind })
  const before = nullable({ type: ['string', 'null'], enum: ['a', 'b', null] })
  const after = (choices: string[]) =>
    nullable({ anyOf: [{ type: 'string', enum: choices }, { type: 'null' }] })
  expect(changesBetween({ input: before }, { input: after(['a', 'b']) })).toEqual([])
  expect(changesBetween({ input: before }, { input: after(['a']) })).toEqual([
    'POST /things: body/kind no longer takes b',
  ])
})

const union = (...forms: Json[]) => ({ anyOf: forms })
const { properties } = base

test('a body that becomes a union is no breaking change if each of its forms is taken', () => {
  const before = { properties, anyOf: [{ required: ['name'] }, { required: ['kind'] }] }
  const named = withFields(properties, ['name'])
  const whole = union(named, withFields(properties, ['kind']))
  expect(changesBetween({ input: before }, { input: whole })).toEqual([])
  expect(changesBetween({ input: before }, { input: union(named) })).toEqual([
    'POST /things: body/name is now required',
  ])
  expect(changesBetween({ input: whole }, { input: named })).toEqual([
    'POST /things: body/name is now required',
  ])
})

test('a body of exactly one form has no field of the others', () => {
  const before = { properties, oneOf: [{ required: ['name'] }, { required: ['kind'] }] }
  const forms = [
    withFields({ name: properties.name }),
    withFields({ kind: properties.kind }, ['kind']),
  ]
  expect(changesBetween({ input: before }, { input: union(...forms) })).toEqual([])
})

test('values beside known ones are still taken', () => {
  const text = { type: 'string', maxLength: 64 }
  const listed = union({ type: 'string', enum: ['a'] }, text)
  const open = withFields({ name: text })
  const known = withFields({ name: listed })
  expect(changesBetween({ input: open }, { input: known })).toEqual([])
  const closed = withFields({ name: { type: 'string', enum: ['a'] } })
  expect(changesBetween({ input: known }, { input: closed })).toEqual([
    'POST /things: body/name now takes fixed values only',
  ])
})
