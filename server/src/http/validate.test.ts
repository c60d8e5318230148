import { LosslessNumber } from 'lossless-json'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { bodyOf, Labels, Metadata, MoneyIn, Name } from '../kernel/shapes.ts'
import { validatorOf } from './validate.ts'

const schema = bodyOf(
  {
    name: Name,
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
    colour: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['red', 'blue'] })),
    amount: Type.Optional(MoneyIn),
    labels: Type.Optional(Labels),
    metadata: Type.Optional(Metadata),
    secret: Type.Optional(Type.String({ maxLength: 3, writeOnly: true })),
    since: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { readOnlyFields: ['id'] },
)
const validate = validatorOf(schema)

const told = (value: unknown) =>
  validate(value)
    .map(({ pointer, code }) => `${pointer} ${code}`)
    .sort()

describe('a body', () => {
  test('that is fine has no faults, and its name is trimmed', () => {
    const body = { name: '  Spring  ', size: 9, amount: new LosslessNumber('1e400'), labels: ['a'] }
    expect(told(body)).toEqual([])
    expect(body.name).toBe('Spring')
  })

  test('with many faults is told all of them at once', () => {
    const body = {
      size: 10,
      colour: 'green',
      amount: {},
      labels: ['a', 'a'],
      metadata: { 'a b': 'x', c: 1 },
      since: 'yesterday',
      id: 'cmp_x',
      nam: 'Spring',
    }
    expect(told(body)).toEqual([
      '/amount invalid_type',
      '/colour invalid_enum_value',
      '/id read_only_field',
      '/labels/1 duplicate_item',
      '/metadata/a b invalid_format',
      '/metadata/c invalid_type',
      '/nam unknown_field',
      '/name required',
      '/since invalid_format',
      '/size out_of_range',
    ])
  })

  test.each([[null], [[]], ['text'], [1], [true]])('%j is no object', (value) => {
    expect(told(value)).toEqual([' invalid_type'])
  })
})

describe('a fault', () => {
  test('names the field that was meant, and the values that are allowed', () => {
    const faults = validate({ name: 'A', nmae: 'B', colour: 'green' })
    expect(faults.find(({ code }) => code === 'unknown_field')?.message).toContain('"name"')
    const wrong = faults.find(({ code }) => code === 'invalid_enum_value')
    expect(wrong).toMatchObject({ allowed: ['red', 'blue'], given: 'green' })
  })

  test('tells back at most 100 characters, and of a secret nothing', () => {
    expect(validate({ name: 'A', colour: 'g'.repeat(500) })[0]?.given).toHaveLength(100)
    const [fault] = validate({ name: 'A', secret: 12345 })
    expect(fault).toMatchObject({ pointer: '/secret', code: 'invalid_type' })
    expect(JSON.stringify(fault)).not.toContain('12345')
  })

  test('is one of fifty at most', () => {
    const strangers = Array.from({ length: 200 }, (_, at) => [`x${at}`, at])
    expect(validate({ name: 'A', ...Object.fromEntries(strangers) })).toHaveLength(50)
  })

  test('says where a text cannot be stored', () => {
    expect(told({ name: 'a\u0000b' })).toContain('/name invalid_format')
    expect(told({ name: 'A', labels: ['\ud800'] })).toEqual(['/labels/0 invalid_format'])
  })
})

test('a character that nothing may have is told once', () => {
  expect(told({ name: 'a\u0000b' })).toEqual(['/name invalid_format'])
})

test('lengths count code points, not UTF-16 units', () => {
  expect(told({ name: '😀'.repeat(255) })).toEqual([])
  expect(told({ name: '😀'.repeat(256) })).toEqual(['/name too_long'])
  expect(told({ name: ` ${'a'.repeat(255)} ` })).toEqual([])
  expect(told({ name: '   ' })).toEqual(['/name too_short'])
})
