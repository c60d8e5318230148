/** The days that are shown: chosen by people as they count them, both ends included. */

import { addDays, formatDate, ownZone } from '../../data/values/time.ts'

/** Half-open, as the API has it; without an end, all later days. */
export type Days = { from: string; to: string | undefined }

export const periods = [
  { value: 'today', name: 'Today' },
  { value: 'yesterday', name: 'Yesterday' },
  { value: 'last_7_days', name: 'Last 7 days' },
  { value: 'last_30_days', name: 'Last 30 days' },
  { value: 'this_month', name: 'This month' },
  { value: 'last_month', name: 'Last month' },
] as const
export type Period = (typeof periods)[number]['value']

/** As in the address. */
export type Chosen = {
  period?: string | undefined
  from?: string | undefined
  /** The last day. */
  until?: string | undefined
}

/** This month without any choice; null where days are chosen. */
export function periodIn({ period, from, until }: Chosen): Period | null {
  if (from !== undefined || until !== undefined) return null
  return periods.find(({ value }) => value === period)?.value ?? 'this_month'
}

const monthOf = (date: string): string => `${date.slice(0, 7)}-01`
const monthAfter = (date: string): string => monthOf(addDays(monthOf(date), 31))

const daysOf: Readonly<Record<Period, (today: string) => Days & { to: string }>> = {
  today: (day) => ({ from: day, to: addDays(day, 1) }),
  yesterday: (day) => ({ from: addDays(day, -1), to: day }),
  last_7_days: (day) => ({ from: addDays(day, -7), to: day }),
  last_30_days: (day) => ({ from: addDays(day, -30), to: day }),
  this_month: (day) => ({ from: monthOf(day), to: monthAfter(day) }),
  last_month: (day) => ({ from: monthOf(addDays(monthOf(day), -1)), to: monthOf(day) }),
}

/** The days that are meant; null where the first is after the last. */
export function daysIn(chosen: Chosen, today: string): Days | null {
  const period = periodIn(chosen)
  if (period !== null) return daysOf[period](today)
  const { from, until } = chosen
  if (from !== undefined && until !== undefined && from > until) return null
  const to = until === undefined ? undefined : addDays(until, 1)
  return { from: from ?? monthOf(until ?? today), to }
}

/** In words, with whose days they are. */
export function daysText({ from, to }: Days): string {
  const last = to && addDays(to, -1)
  const first = formatDate(from)
  if (last === undefined) return `Since ${first}. ${whose}`
  const range = last === from ? first : `${first} to ${formatDate(last)}`
  return `${range}. ${whose}`
}

const whose = `Each day is one of its campaign’s time zone; what is today goes by yours, ${ownZone}.`
