import type protobuf from 'protobufjs'
import { fieldOf, isEnum, isMessage } from './protos.ts'
import { Malformed } from './refusal.ts'

/**
 * JSON of proto3, in its strictest reading: names in camel case, 64-bit numbers as texts, enums as words, no
 * null, one member of each oneof.
 */

export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const malformed = (path: string, message: string) =>
  new Malformed(`Invalid JSON payload received. At ${path || 'the body'}: ${message}`)

/** Throws where the value is not of the message. */
export function checkMessage(type: protobuf.Type, value: unknown, path = ''): void {
  const known = wellKnown[type.fullName]
  if (known) {
    if (known(value)) return
    throw malformed(path, `it is no ${type.name}`)
  }
  if (!isObject(value)) throw malformed(path, 'it must be an object')
  for (const [name, member] of Object.entries(value)) {
    const field = fieldOf(type, name)
    const at = path === '' ? name : `${path}.${name}`
    if (!field) throw malformed(at, `Unknown name "${name}": Cannot find field.`)
    if (field.map) throw malformed(at, 'maps are not in this fake')
    if (field.repeated) checkList(field, member, at)
    else checkValue(field, member, at)
  }
  checkOneofs(type, value, path)
}

function checkList(field: protobuf.Field, value: unknown, path: string): void {
  if (!Array.isArray(value)) throw malformed(path, 'it must be a list')
  value.forEach((each, at) => {
    checkValue(field, each, `${path}[${at}]`)
  })
}

function checkOneofs(type: protobuf.Type, value: Json, path: string): void {
  for (const { name, oneof } of type.oneofsArray) {
    const given = Object.keys(value).filter((each) =>
      oneof.includes(fieldOf(type, each)?.name ?? ''),
    )
    if (given.length > 1) throw malformed(path, `oneof ${name} has ${given.join(' and ')}`)
  }
}

function checkValue(field: protobuf.Field, value: unknown, path: string): void {
  const type = field.resolvedType
  if (value === null) throw malformed(path, 'null is no value')
  if (isMessage(type)) {
    checkMessage(type, value, path)
    return
  }
  if (isEnum(type)) {
    const isWord = typeof value === 'string' && Object.hasOwn(type.values, value)
    if (isWord) return
    throw malformed(path, `${JSON.stringify(value)} is no ${type.name}`)
  }
  const isOf = scalars[field.type]
  if (!isOf) throw malformed(path, `${field.type} is not in this fake`)
  if (!isOf(value)) throw malformed(path, `${JSON.stringify(value)} is no ${field.type}`)
}

type Check = (value: unknown) => boolean

const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value)
const is32: Check = (value) => Number.isInteger(value) && Math.abs(Number(value)) <= 2 ** 31
const is64: Check = (value) =>
  typeof value === 'string' &&
  /^(?:0|-?[1-9]\d{0,18})$/.test(value) &&
  BigInt.asIntN(64, BigInt(value)) === BigInt(value)

const scalars: Readonly<Record<string, Check>> = {
  string: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  int32: is32,
  uint32: (value) => is32(value) && Number(value) >= 0,
  int64: is64,
  uint64: is64,
  double: (value) => isNumber(value) || ['NaN', 'Infinity', '-Infinity'].includes(String(value)),
  float: isNumber,
}

const isText = (pattern: RegExp) => (value: unknown) =>
  typeof value === 'string' && pattern.test(value)

const wellKnown: Readonly<Record<string, Check>> = {
  '.google.protobuf.FieldMask': isText(/^(?:[a-zA-Z0-9.]+(?:,[a-zA-Z0-9.]+)*)?$/),
  '.google.protobuf.Duration': isText(/^\d+(?:\.\d{1,9})?s$/),
}
