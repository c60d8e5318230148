import { objectives, type SimAccount, type SimValues } from './state.ts'

/** A refusal of the network, as its error object. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly field: string | null
  readonly retryAfterSeconds: number | null

  constructor(
    status: number,
    code: string,
    message: string,
    more: { field?: string; retryAfterSeconds?: number } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.field = more.field ?? null
    this.retryAfterSeconds = more.retryAfterSeconds ?? null
  }
}

const bad = (field: string, message: string) =>
  new Refusal(400, 'invalid_value', `${field} ${message}`, { field })

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function objectOf(value: unknown): Record<string, unknown> {
  if (!isObject(value)) throw new Refusal(400, 'invalid_request', 'the body must be an object')
  return value
}

const hour = /^(?:[01]\d|2[0-3]):(?:00|15|30|45)$/
const endOfHours = /^(?:(?:[01]\d|2[0-3]):(?:00|15|30|45)|24:00)$/
const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

const isText = (value: unknown, most: number) =>
  typeof value === 'string' && value.length > 0 && value.length <= most

const isAmount = (value: unknown) =>
  value === null || (Number.isSafeInteger(value) && Number(value) > 0)

const isTime = (value: unknown) =>
  value === null || (typeof value === 'string' && !Number.isNaN(Date.parse(value)))

const isWindow = (value: unknown) =>
  isObject(value) &&
  days.includes(String(value.day)) &&
  hour.test(String(value.start)) &&
  endOfHours.test(String(value.end)) &&
  String(value.start) < String(value.end)

type Rule = { holds: (value: unknown) => boolean; message: string }

const rules: Readonly<Record<keyof SimValues, Rule>> = {
  name: { holds: (value) => isText(value, 255), message: 'must have 1 to 255 characters' },
  objective: {
    holds: (value) => objectives.some((each) => each === value),
    message: 'is not an objective',
  },
  status: {
    holds: (value) => value === 'ENABLED' || value === 'PAUSED',
    message: 'must be ENABLED or PAUSED',
  },
  daily_budget_minor: { holds: isAmount, message: 'must be a whole number above 0, or null' },
  lifetime_budget_minor: { holds: isAmount, message: 'must be a whole number above 0, or null' },
  start_at: { holds: isTime, message: 'must be a time, or null' },
  end_at: { holds: isTime, message: 'must be a time, or null' },
  schedule: {
    holds: (value) => Array.isArray(value) && value.length <= 168 && value.every(isWindow),
    message: 'must be windows of a day in quarter hours',
  },
  labels: {
    holds: (value) =>
      Array.isArray(value) && value.length <= 50 && value.every((each) => isText(each, 80)),
    message: 'must be at most 50 texts',
  },
  settings: { holds: isObject, message: 'must be an object' },
}

const defaults: SimValues = {
  name: '',
  objective: 'traffic',
  status: 'PAUSED',
  daily_budget_minor: null,
  lifetime_budget_minor: null,
  start_at: null,
  end_at: null,
  schedule: [],
  labels: [],
  settings: {},
}

const isField = (name: string): name is keyof SimValues => Object.hasOwn(rules, name)

/** The values after a change: unknown and faulty fields are refused, as are values without sense. */
export function changed(
  before: SimValues | null,
  changes: Record<string, unknown>,
  account: SimAccount,
): SimValues {
  for (const [field, value] of Object.entries(changes)) {
    if (!isField(field)) throw new Refusal(400, 'unknown_field', `${field} is unknown`, { field })
    if (!rules[field].holds(value)) throw bad(field, rules[field].message)
  }
  const next: SimValues = { ...(before ?? defaults), ...changes }
  if (before && next.objective !== before.objective)
    throw new Refusal(400, 'immutable_field', 'objective cannot change', { field: 'objective' })
  checkSense(next, account)
  return next
}

function checkSense(values: SimValues, account: SimAccount): void {
  const { name, daily_budget_minor: daily, lifetime_budget_minor: lifetime } = values
  if (name === '') throw bad('name', 'is required')
  if (daily === null && lifetime === null)
    throw bad('daily_budget_minor', 'or a lifetime is required')
  if (daily !== null && daily < account.minimum_daily_budget_minor)
    throw bad('daily_budget_minor', `must be at least ${account.minimum_daily_budget_minor}`)
  const { start_at, end_at } = values
  if (start_at !== null && end_at !== null && Date.parse(end_at) <= Date.parse(start_at))
    throw bad('end_at', 'must be after start_at')
}
