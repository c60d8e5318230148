import type protobuf from 'protobufjs'
import { isEnum, isMessage, typeOf } from './protos.ts'
import { refusal, refuse } from './refusal.ts'

/** The part of GAQL that is in this fake: each name is one of `GoogleAdsRow`, all else a `query_error`. */

export type Condition = { field: string; operator: string; values: string[] }

export type Query = {
  select: string[]
  from: string
  where: Condition[]
}

/** Resources that may be selected with another: itself, and those attributed to it. */
const resources: Readonly<Record<string, readonly string[]>> = {
  customer: ['customer'],
  campaign: ['campaign', 'campaign_budget', 'customer', 'metrics', 'segments'],
  campaign_criterion: ['campaign_criterion', 'campaign', 'customer'],
  campaign_label: ['campaign_label', 'campaign', 'label', 'customer'],
  label: ['label', 'customer'],
  currency_constant: ['currency_constant'],
  conversion_action: ['conversion_action', 'customer'],
}

const shape = /^SELECT (.+?) FROM (\w+)(?: WHERE (.+?))?$/
const comparison = /^([\w.]+) (=|!=|IN|LIKE|BETWEEN|>=|<=|>|<) (.+)$/
const longest = 200_000

export function parse(text: string): Query {
  if (text.length > longest) throw refusal('queryError.QUERY_ERROR', 'The query is too long.')
  const [, selected, from = '', conditions] = shape.exec(text) ?? []
  if (selected === undefined) throw refusal('queryError.EXPECTED_SELECT', 'It is no query.')
  if (!resources[from])
    throw refusal('queryError.BAD_RESOURCE_TYPE_IN_FROM_CLAUSE', `${from} is not in this fake.`)
  const select = selected.split(',').map((each) => each.trim())
  for (const name of select) {
    const field = leafOf(name, from)
    if (isMessage(field.resolvedType))
      refuse('queryError.PROHIBITED_FIELD_IN_SELECT_CLAUSE', `${name} is no field.`)
  }
  const parts = conditions === undefined ? [] : partsOf(conditions)
  return { select, from, where: parts.map((part) => conditionOf(part, from)) }
}

/** Conditions are joined by AND, which stands within BETWEEN too. */
const partsOf = (text: string): string[] =>
  text
    .replace(/ BETWEEN ('[^']*') AND ('[^']*')/g, ' BETWEEN $1,$2')
    .split(' AND ')
    .map((each) => each.trim())

function leafOf(name: string, from: string): protobuf.Field {
  const [root = '', ...rest] = name.split('.')
  const row = typeOf('services.GoogleAdsRow')
  let field = row.fields[root]?.resolve()
  for (const part of rest) {
    const inner: unknown = field?.resolvedType
    field = isMessage(inner) ? inner.fields[part]?.resolve() : undefined
  }
  if (!field || rest.length === 0)
    throw refusal('queryError.UNRECOGNIZED_FIELD', `Unrecognized field in the query: '${name}'.`)
  if (!resources[from]?.includes(root))
    refuse('queryError.PROHIBITED_RESOURCE_TYPE_IN_SELECT_CLAUSE', `${root} is not of ${from}.`)
  return field
}

function conditionOf(text: string, from: string): Condition {
  const [, field = '', operator = '', given = ''] = comparison.exec(text) ?? []
  if (field === '') throw refusal('queryError.BAD_OPERATOR', `It is no condition: ${text}`)
  const leaf = leafOf(field, from)
  const values =
    operator === 'IN' ? listIn(given) : operator === 'BETWEEN' ? given.split(',') : [given]
  if (operator === 'IN' && values.length === 0)
    refuse('queryError.PROHIBITED_EMPTY_LIST_IN_CONDITION', `${field} has an empty list.`)
  return { field, operator, values: values.map((value) => literalOf(value.trim(), leaf)) }
}

function listIn(given: string): string[] {
  const [, inner] = /^\((.*)\)$/.exec(given) ?? []
  if (inner === undefined) throw refusal('queryError.EXPECTED_LIST', 'IN has a list.')
  return inner.split(',').filter((each) => each.trim() !== '')
}

function literalOf(value: string, field: protobuf.Field): string {
  const [, quoted] = /^'((?:[^'\\]|\\')*)'$/.exec(value) ?? []
  if (field.type === 'bool' && (value === 'true' || value === 'false')) return value
  const isNumeric = ['int64', 'int32', 'double'].includes(field.type)
  if (isNumeric && !/^-?\d+(?:\.\d+)?$/.test(quoted ?? value))
    throw refusal('queryError.BAD_NUMBER', `${value} is no number.`)
  if (!isNumeric && quoted === undefined)
    throw refusal('queryError.INVALID_STRING_VALUE', `${value} has no quotes.`)
  const text = quoted ?? value
  const type = field.resolvedType
  if (isEnum(type) && !Object.hasOwn(type.values, text))
    refuse('queryError.BAD_ENUM_CONSTANT', `${text} is no ${type.name}.`)
  return text
}

/** Whether a row’s value meets the condition. */
export function meets(value: string, { operator, values }: Condition): boolean {
  const [first = '', second = ''] = values
  switch (operator) {
    case '=':
      return value === first
    case '!=':
      return value !== first
    case 'IN':
      return values.includes(value)
    case 'BETWEEN':
      return value >= first && value <= second
    case 'LIKE':
      return value.startsWith(first.replace(/%$/, ''))
    default:
      throw refusal('queryError.BAD_OPERATOR', `${operator} is not in this fake.`)
  }
}
