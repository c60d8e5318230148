/** Values in the one form in which those of files and those of the service compare. Pure. */

import { isObject } from '../api/read.ts'
import { factsOf, type Kind } from './kinds.ts'

const amounts = new Set([
  ...['daily_budget', 'lifetime_budget', 'daily_budget_cap', 'monthly_spend_cap'],
])
const times = new Set(['start_at', 'end_at'])
/** Stored without spaces around them. */
const lines = new Set(['name', 'account_ref', 'credential_ref', 'client'])

/** `field` is the file's word. */
export function canonical(kind: Kind, field: string, value: unknown): unknown {
  if (value === null || value === undefined) return isList(field) ? [] : null
  if (kind === 'template' && field === 'defaults') return defaultsIn(value)
  if (amounts.has(field)) return decimal(value)
  if (times.has(field)) return new Date(String(value)).toISOString()
  if (field === 'schedule') return windowsIn(value)
  if (field === 'labels' || field === 'locked_fields') return sorted(value)
  if (field === 'target') return targetIn(value)
  if (field === 'host') return String(value).toLowerCase()
  return lines.has(field) ? String(value).trim() : value
}

/** Fields that are empty where others are null. */
const isList = (field: string) => ['schedule', 'labels', 'locked_fields'].includes(field)

/** An amount as text: 33.5 and "33.50" are the same. */
function decimal(value: unknown): string {
  const text = String(value)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

type Window = { day: string; start: string; end: string }

/** A window for each day, in the order of the week. */
function windowsIn(value: unknown): Window[] {
  const given = value as { day: string | string[]; start: string; end: string }[]
  const each = given.flatMap(({ day, start, end }) =>
    [day].flat().map((one) => ({ day: one, start, end })),
  )
  return each.sort(
    (one, other) =>
      days.indexOf(one.day) - days.indexOf(other.day) || compare(one.start, other.start),
  )
}

const compare = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1)

const sorted = (value: unknown): string[] => [...new Set(value as string[])].sort(compare)

const usualWindow = 7

function targetIn(value: unknown): unknown {
  const { metric, value: wanted, window_days } = value as Record<string, unknown>
  return { metric, value: decimal(wanted), window_days: window_days ?? usualWindow }
}

/** A template's fields of campaigns; null is as good as none. */
function defaultsIn(value: unknown): unknown {
  const fields = Object.entries(value as object).filter(([, each]) => each !== null)
  const made = fields
    .map(([field, each]) => [field, canonical('campaign', field, each)] as const)
    .filter(([, each]) => !Array.isArray(each) || each.length > 0)
  return Object.fromEntries(made.sort(([one], [other]) => compare(one, other)))
}

/** The same text for equal values: members in order, whatever the order in which they came. */
export const textOfValue = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    isObject(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => compare(one, other)))
      : each,
  ) ?? 'null'

export const isSame = (one: unknown, other: unknown): boolean =>
  textOfValue(one) === textOfValue(other)

/** The API's name of a field of files. */
export const apiName = (kind: Kind, field: string): string =>
  field === 'state' ? 'status' : (factsOf[kind].references[field]?.field ?? field)
