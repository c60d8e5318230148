import { type AccountFacts, type Observed, type ResultRow, unreadable } from '../kit/src/connect.ts'

/** The network's answers, taken only in their shape: what is not of it is no answer. */

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function objectOf(value: unknown, isWrite = false): Json {
  if (!isObject(value)) throw unreadable(isWrite)
  return value
}

type Read<Value> = (value: unknown) => Value | undefined

const text: Read<string> = (value) => (typeof value === 'string' ? value : undefined)
const whole: Read<number> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
const flag: Read<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)
const orNull =
  <Value>(read: Read<Value>): Read<Value | null> =>
  (value) =>
    value === null ? null : read(value)
const oneOf =
  <const Choice extends string>(...choices: Choice[]): Read<Choice> =>
  (value) =>
    choices.find((each) => each === value)
const listOf =
  <Value>(read: Read<Value>): Read<Value[]> =>
  (value) => {
    if (!Array.isArray(value)) return undefined
    const items = value.flatMap((each) => read(each) ?? [])
    return items.length === value.length ? items : undefined
  }
const time: Read<string> = (value) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined

/** A member in its shape; throws what an unreadable answer is. */
const membersOf =
  (json: Json, isWrite: boolean) =>
  <Value>(name: string, read: Read<Value>): Value => {
    const value = read(json[name])
    if (value === undefined) throw unreadable(isWrite)
    return value
  }

const statuses = { ACTIVE: 'active', SUSPENDED: 'suspended', CLOSED: 'closed' } as const

export function accountIn(value: unknown): AccountFacts {
  const member = membersOf(objectOf(value), false)
  return {
    ref: member('id', text),
    name: member('name', orNull(text)),
    currency: member('currency', text),
    time_zone: member('time_zone', text),
    status: statuses[member('status', oneOf('ACTIVE', 'SUSPENDED', 'CLOSED'))],
    credentialExpiresAt: member('credential_expires_at', orNull(time)),
  }
}

type Window = NonNullable<Observed['schedule']>[number]

const windowIn: Read<Window> = (value) => {
  if (!isObject(value)) return undefined
  const day = oneOf('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun')(value.day)
  const [start, end] = [text(value.start), text(value.end)]
  return day && start && end ? { day, start, end } : undefined
}

export type NetworkCampaign = ReturnType<typeof campaignIn>

const objectives = [
  'awareness',
  'reach',
  'traffic',
  'engagement',
  'video_views',
  'leads',
  'app_promotion',
  'conversions',
  'sales',
] as const

export function campaignIn(value: unknown, isWrite = false) {
  const json = objectOf(value, isWrite)
  const member = membersOf(json, isWrite)
  const serving = membersOf(objectOf(json.serving, isWrite), isWrite)
  return {
    id: member('id', text),
    url: member('url', text),
    name: member('name', text),
    objective: member('objective', oneOf(...objectives)),
    status: member('status', oneOf('ENABLED', 'PAUSED')),
    daily_budget_minor: member('daily_budget_minor', orNull(whole)),
    lifetime_budget_minor: member('lifetime_budget_minor', orNull(whole)),
    start_at: member('start_at', orNull(time)),
    end_at: member('end_at', orNull(time)),
    schedule: member('schedule', listOf(windowIn)),
    labels: member('labels', listOf(text)),
    settings: objectOf(json.settings, isWrite),
    serving: { state: serving('state', text), reasons: serving('reasons', listOf(text)) },
  }
}

export function pageIn(value: unknown): { data: NetworkCampaign[]; next: string | null } {
  const json = objectOf(value)
  if (!Array.isArray(json.data)) throw unreadable(false)
  const data = json.data.map((each) => campaignIn(each))
  return { data, next: membersOf(json, false)('next', orNull(text)) }
}

export function reportIn(value: unknown): (Omit<ResultRow, 'id'> & { campaign_id: string })[] {
  const { data } = objectOf(value)
  if (!Array.isArray(data)) throw unreadable(false)
  return data.map((each) => {
    const member = membersOf(objectOf(each), false)
    return {
      campaign_id: member('campaign_id', text),
      date: member('date', text),
      spend_minor: member('spend_minor', whole),
      impressions: member('impressions', whole),
      clicks: member('clicks', whole),
      conversions: member('conversions', whole),
      conversion_value_minor: member('conversion_value_minor', whole),
      is_final: member('is_final', flag),
    }
  })
}

type NetworkError = {
  code: string
  message: string
  field: string | null
  request_id: string | null
}

/** The error of a refusal; null where the answer is none of the network's. */
export function errorIn(body: string): NetworkError | null {
  try {
    const { error } = objectOf(JSON.parse(body))
    const member = membersOf(objectOf(error), false)
    return {
      code: member('code', text),
      message: member('message', text),
      field: member('field', orNull(text)),
      request_id: member('request_id', orNull(text)),
    }
  } catch {
    return null
  }
}
