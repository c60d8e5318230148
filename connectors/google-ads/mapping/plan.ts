import {
  type AccountFacts,
  exponentOf,
  type FieldFault,
  type Plan,
  type Planned,
} from '../../kit/src/connect.ts'
import { endText, startText } from './dates.ts'
import { microsOf } from './money.ts'
import { type AdSchedule, adSchedulesOf } from './schedule.ts'
import { type Creation, creationOf, type SettingFaults } from './settings.ts'
import { networkStatusOf } from './status.ts'

/** A plan in the network’s shape. Pure. */

export type Budget = { period: 'DAILY' | 'CUSTOM_PERIOD'; micros: string }

export type GoogleBody = {
  name: string
  status: 'ENABLED' | 'PAUSED'
  budget: Budget
  /** Wall clocks of the account. */
  start: string | null
  end: string | null
  startsAt: number | null
  endsAt: number | null
  schedule: AdSchedule[]
  creation: Creation | SettingFaults
}

type Holding = { faults: FieldFault[]; account: AccountFacts }

export function planOf(desired: Plan, account: AccountFacts): Planned<GoogleBody> {
  const holding: Holding = { faults: [], account }
  const { faults } = holding
  checkName(desired, holding)
  const budget = budgetOf(desired, holding)
  const dates = datesOf(desired, holding)
  const schedule = adSchedulesOf(desired.schedule)
  if ('faults' in schedule) faults.push(...schedule.faults)
  if (desired.schedule.length > 0 && desired.time_zone !== account.time_zone)
    faults.push({
      pointer: '/time_zone',
      message: `Hours are those of the account, which is in ${account.time_zone}.`,
    })
  if (faults.length > 0 || 'faults' in schedule || budget === null)
    return { refused: { code: 'cannot_hold', errors: faults } }
  return {
    body: {
      name: desired.name,
      status: networkStatusOf(desired.run),
      ...{ budget, schedule, ...dates },
      creation: creationOf(desired),
    },
  }
}

const mostNameBytes = 255
const refusedInNames = /[\0\n\r]/

function checkName({ name }: Plan, { faults }: Holding): void {
  const add = (message: string) => faults.push({ pointer: '/name', message })
  if (name === '') add('Google Ads needs a name.')
  if (refusedInNames.test(name)) add('Google Ads takes no line break in a name.')
  if (Buffer.byteLength(name) > mostNameBytes)
    add(`Google Ads takes names of at most ${mostNameBytes} bytes in UTF-8.`)
}

function budgetOf(desired: Plan, { faults, account }: Holding): Budget | null {
  const { daily_budget_minor: daily, lifetime_budget_minor: lifetime, settings } = desired
  const add = (pointer: string, message: string) => {
    faults.push({ pointer, message })
    return null
  }
  const { currency, budgetStepMinor: step = 1 } = account
  const budget = (period: Budget['period'], minor: number, pointer: string) => {
    if (!Number.isSafeInteger(minor) || minor <= 0 || exponentOf(currency) > 6)
      return add(pointer, 'Google Ads cannot hold this amount.')
    if (minor % step !== 0)
      return add(pointer, `Google Ads has budgets in ${currency} in steps of ${step} minor units.`)
    return { period, micros: microsOf(minor, currency) }
  }
  if (daily !== null && lifetime !== null && settings.lifetime !== 'pause_at_spend')
    return add(
      '/lifetime_budget',
      'A campaign of Google Ads has a daily budget or a lifetime budget. With settings.lifetime of pause_at_spend Flightdeck keeps the lifetime budget itself.',
    )
  if (daily !== null) return budget('DAILY', daily, '/daily_budget')
  if (lifetime === null) return add('/daily_budget', 'Google Ads needs a budget.')
  if (desired.end_at === null)
    return add('/end_at', 'With a lifetime budget Google Ads needs an end.')
  return budget('CUSTOM_PERIOD', lifetime, '/lifetime_budget')
}

function datesOf({ start_at, end_at }: Plan, { faults, account: { time_zone } }: Holding) {
  const startsAt = start_at === null ? null : Date.parse(start_at)
  const endsAt = end_at === null ? null : Date.parse(end_at)
  const start = startsAt === null ? null : startText(startsAt, time_zone)
  const end = endsAt === null ? null : endText(endsAt, time_zone)
  const message = `The clock of the account has this time twice or not at all, in ${time_zone}.`
  if (startsAt !== null && start === null) faults.push({ pointer: '/start_at', message })
  if (endsAt !== null && end === null) faults.push({ pointer: '/end_at', message })
  return { startsAt, endsAt, start, end }
}
