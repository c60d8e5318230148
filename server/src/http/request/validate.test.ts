import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { bodyOf, Labels, Metadata, moneyIn, nameLike } from '../../schema/fields.ts'
import { ExactNumber } from '../../values/exact-number.ts'
import { pointerToken } from './pointers.ts'
import { validatorOf } from './validate.ts'

const schema = bodyOf(
  {
    name: nameLike('Spring Sale'),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
    colour: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['red', 'blue'] })),
    amount: Type.Optional(moneyIn('Amount.')),
    labels: Type.Optional(Labels),
    metadata: Type.Optional(Metadata),
    secret: Type.Optional(Type.String({ maxLength: 3, writeOnly: true })),
    since: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { readOnlyFields: ['id'] },
)
const validate = validatorOf(schema)

const faultsIn = (value: unknown) =>
  validate(value)
    .map(({ pointer, code }) => `${pointer} ${code}`)
    .sort()

describe('a body', () => {
  test('that is valid has no faults, and its name is trimmed', () => {
    const body = { name: '  Spring  ', size: 9, amount: new ExactNumber('1e400'), labels: ['a'] }
    expect(faultsIn(body)).toEqual([])
    expect(body.name).toBe('Spring')
  })

  test('with many faults gets all of them at once', () => {
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
    expect(faultsIn(body)).toEqual([
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

  test.each([[null], [[]], ['text'], [1], [true]])('%j is not an object', (value) => {
    expect(faultsIn(value)).toEqual([' invalid_type'])
  })
})

describe('a fault', () => {
  test('suggests the intended field, and lists the allowed values', () => {
    const faults = validate({ name: 'A', nmae: 'B', colour: 'green' })
    expect(faults.find(({ code }) => code === 'unknown_field')?.message).toContain('"name"')
    const wrong = faults.find(({ code }) => code === 'invalid_enum_value')
    expect(wrong).toMatchObject({ allowed: ['red', 'blue'], given: 'green' })
  })

  test('quotes at most 100 characters, and nothing of a secret', () => {
    expect(validate({ name: 'A', colour: 'g'.repeat(500) })[0]?.given).toHaveLength(100)
    const [fault] = validate({ name: 'A', secret: 12345 })
    expect(fault).toMatchObject({ pointer: '/secret', code: 'invalid_type' })
    expect(JSON.stringify(fault)).not.toContain('12345')
  })

  test('is one of fifty at most', () => {
    const strangers = Array.from({ length: 200 }, (_, at) => [`x${at}`, at])
    expect(validate({ name: 'A', ...Object.fromEntries(strangers) })).toHaveLength(50)
    const keys = Array.from({ length: 200 }, (_, at) => [`x ${at}`, 'fine'])
    expect(validate({ name: 'A', metadata: Object.fromEntries(keys) })).toHaveLength(50)
  })

  test('suggests similar names only, else lists all of them, once', () => {
    const messages = (field: string) => validate({ name: 'A', [field]: 1 })
    expect(messages('nmae')[0]?.message).toContain('"name"')
    expect(messages('colours')[0]?.message).toContain('"colour"')
    const [far] = messages('delivery')
    expect(far?.message).toBe('is not a known field')
    expect(far?.allowed).toEqual(Object.keys(schema.properties))
    const two = validate({ name: 'A', delivery: 1, recipient: 1 })
    expect(two.map(({ allowed }) => allowed !== undefined)).toEqual([true, false])
  })

  test.each([
    ['a field', (name: string) => ({ [name]: 1 })],
    ['a key', (name: string) => ({ metadata: { [name]: 'x' } })],
    ['the key of a value', (name: string) => ({ metadata: { [name]: 1 } })],
    ['a text', (name: string) => ({ metadata: { [name]: '\u0000' } })],
  ])('repeats at most 64 characters of the name of %s', (_, bodyOf) => {
    for (const name of ['x'.repeat(65), `${'x'.repeat(63)}😀`, '~/'.repeat(40)]) {
      const faults = validate({ name: 'A', ...bodyOf(name) })
      expect(faults.length).toBeGreaterThan(0)
      const written = JSON.stringify(faults)
      expect(written).toContain(pointerToken(name.slice(0, 60)))
      expect(written).not.toContain(name.replaceAll('~', '~0').replaceAll('/', '~1'))
      expect(written.isWellFormed() && !written.includes('\\ud')).toBe(true)
    }
  })

  test('locates a text that cannot be stored', () => {
    expect(faultsIn({ name: 'a\u0000b' })).toContain('/name invalid_format')
    expect(faultsIn({ name: 'A', labels: ['\u0000'] })).toEqual(['/labels/0 invalid_format'])
    expect(faultsIn({ name: 'A', metadata: { 'a/\u0000': 'x' } })).toEqual([
      '/metadata/a~1\u0000 invalid_format',
    ])
  })
})

describe('for any number of faults in a body', () => {
  test('the validator stops soon after the fiftieth', () => {
    let looks = 0
    const items = new Proxy(Array(5_000).fill('no integer'), {
      get: (target, key) => {
        looks += 1
        return Reflect.get(target, key)
      },
    })
    const numbers = validatorOf(bodyOf({ numbers: Type.Array(Type.Integer()) }))
    expect(numbers({ numbers: items })).toHaveLength(50)
    // One step per key to find texts that cannot be stored; then a hundred errors.
    expect(looks).toBeLessThan(5_000 + 500)
  })

  test('only fifty are described', () => {
    let described = 0
    const readOnlyFields = {
      includes: () => {
        described += 1
        return false
      },
    }
    const strangers = Array.from({ length: 5_000 }, (_, at) => [`x${at}`, at])
    const closed = validatorOf(bodyOf({ name: nameLike('Spring Sale') }, { readOnlyFields }))
    expect(closed({ name: 'A', ...Object.fromEntries(strangers) })).toHaveLength(50)
    expect(described).toBe(50)
  })
})

test('metadata has at most 16 KiB, keys and values together, in bytes', () => {
  const metadata = (character: string, last: number) => ({
    ...Object.fromEntries(
      Array.from({ length: 32 }, (_, at) => [`key_${at + 10}`, character.repeat(500)]),
    ),
    rest: character.repeat(last),
  })
  const sizeOf = (value: object) => Buffer.byteLength(Object.entries(value).flat().join(''))
  const fitting = metadata('x', 500 - (sizeOf(metadata('x', 500)) - 16 * 1024))
  expect(sizeOf(fitting)).toBe(16 * 1024)
  expect(faultsIn({ name: 'A', metadata: fitting })).toEqual([])
  expect(faultsIn({ name: 'A', metadata: { ...fitting, rest: `${fitting.rest}x` } })).toEqual([
    '/metadata too_long',
  ])
  expect(faultsIn({ name: 'A', metadata: metadata('ä', 0) })).toEqual(['/metadata too_long'])
})

test('a forbidden character is reported once', () => {
  expect(faultsIn({ name: 'a\u0000b' })).toEqual(['/name invalid_format'])
})

test('lengths count code points, not UTF-16 units', () => {
  expect(faultsIn({ name: '😀'.repeat(255) })).toEqual([])
  expect(faultsIn({ name: '😀'.repeat(256) })).toEqual(['/name too_long'])
  expect(faultsIn({ name: ` ${'a'.repeat(255)} ` })).toEqual([])
  expect(faultsIn({ name: '   ' })).toEqual(['/name too_short'])
})
