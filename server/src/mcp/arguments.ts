import { nearestName, shortName } from '../values/nearest-name.ts'
import { type Members, refused } from './call.ts'
import type { ArgumentSchema, Tool } from './tool.ts'

/** Refuses arguments that the tool does not know, lacks or cannot take. */
export function checkArguments({ properties, required = [] }: Tool, given: Members): void {
  const known = Object.keys(properties)
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(properties, name)) continue
    const nearest = nearestName(name, known)
    const hint = nearest ? `did you mean ${nearest}?` : `it takes ${known.join(', ')}.`
    throw wrong(`There is no argument ${shortName(name)}; ${hint}`)
  }
  for (const name of required) if (given[name] === undefined) throw wrong(`${name} is missing.`)
  for (const [name, value] of Object.entries(given)) {
    const schema = properties[name]
    const fault = schema && value !== undefined ? faultOf(schema, value) : undefined
    if (fault) throw wrong(`${name} must be ${fault}.`)
  }
}

const wrong = (detail: string) => refused('invalid_arguments', detail)

function faultOf(schema: ArgumentSchema, value: unknown): string | undefined {
  const { type } = schema
  if (type === 'array') return Array.isArray(value) ? countFault(schema, value) : 'a list'
  if (type === 'integer') return numberFault(schema, value)
  if (type === 'object') {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? undefined : 'an object'
  }
  const isFit = typeof value === type
  if (!isFit) return `a ${type}`
  const choices = schema.enum
  return choices && !choices.includes(String(value)) ? `one of ${choices.join(', ')}` : undefined
}

function numberFault({ minimum = 0, maximum = 1_000_000 }: ArgumentSchema, value: unknown) {
  const isFit = Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum
  return isFit ? undefined : `a whole number from ${minimum} to ${maximum}`
}

function countFault({ minItems = 0, maxItems = 100, items }: ArgumentSchema, value: unknown[]) {
  if (value.length < minItems || value.length > maxItems) {
    return `a list of ${minItems} to ${maxItems}`
  }
  return items && value.some((each) => typeof each !== items.type)
    ? `a list of ${items.type}s`
    : undefined
}
