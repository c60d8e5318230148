/**
 * Cost and approval of campaign plans by the quarter hour: slow, and independent of the service.
 */

const quarterMs = 900_000
export const dayMs = 96 * quarterMs

/** Schedules of the walk in UTC: whether an hour of a weekday (0 is Sunday) is open. */
export const schedules = {
  always: { windows: [], isOpen: () => true },
  sundays: {
    windows: [{ day: 'sun', start: '00:00', end: '24:00' }],
    isOpen: (weekday: number) => weekday === 0,
  },
  mornings: {
    windows: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => ({
      day,
      start: '06:00',
      end: '12:00',
    })),
    isOpen: (_: number, hour: number) => hour >= 6 && hour < 12,
  },
  wednesdays: {
    windows: [
      { day: 'wed', start: '06:00', end: '10:00' },
      { day: 'wed', start: '10:00', end: '14:00' },
    ],
    isOpen: (weekday: number, hour: number) => weekday === 3 && hour >= 6 && hour < 14,
  },
} as const
export type ScheduleName = keyof typeof schedules

/** Amounts in cents; null is none. Times in ms. */
export type Plan = {
  daily: number | null
  lifetime: number | null
  start: number | null
  end: number | null
  schedule: ScheduleName
  objective: string
  zone: string
}

const isOpenAt = (name: ScheduleName, time: number): boolean => {
  const date = new Date(time)
  return schedules[name].isOpen(date.getUTCDay(), date.getUTCHours())
}

/** Open time within a span. */
export function openMs(name: ScheduleName, from: number, to: number): number {
  if (name === 'always') return Math.max(0, to - from)
  let open = 0
  for (let at = Math.floor(from / quarterMs) * quarterMs; at < to; at += quarterMs) {
    if (isOpenAt(name, at)) open += Math.min(at + quarterMs, to) - Math.max(at, from)
  }
  return open
}

/** Open time on the longest weekday. */
const longestDayMs = (name: ScheduleName): number =>
  Math.max(...[0, 1, 2, 3, 4, 5, 6].map((day) => openMs(name, day * dayMs, (day + 1) * dayMs)))

/** The largest daily part of an amount that is spent evenly over the open time. */
export function fullestDay(
  { schedule, start, end }: Plan,
  now: number,
): [part: number, of: number] {
  if (end === null) return [1, 1]
  const open = openMs(schedule, Math.max(start ?? now, now), end)
  const longest = longestDayMs(schedule)
  return open <= longest ? [1, 1] : [longest, open]
}

/** The most that a day costs, in cents, rounded up. */
export function costOf(plan: Plan, now: number): number {
  if (plan.daily !== null) return plan.daily
  const [part, whole] = fullestDay(plan, now).map(BigInt) as [bigint, bigint]
  return Number((BigInt(plan.lifetime ?? 0) * part + whole - 1n) / whole)
}

export type Counted = { plan: Plan; counted: number }

/** The daily cost before a change to another plan. */
export function formerCost({ plan, counted }: Counted, next: Plan, now: number): number {
  const cost = costOf(plan, now)
  return plan.daily === null && next.daily !== null ? Math.min(cost, counted) : cost
}

export function isRaise(before: Counted, next: Plan, now: number): boolean {
  const { plan } = before
  if (plan.daily !== null || next.daily !== null) {
    return costOf(next, now) > formerCost(before, next, now)
  }
  const [was, is] = [plan.lifetime ?? 0, next.lifetime ?? 0]
  return is > was || costOf({ ...next, lifetime: was }, now) > costOf(plan, now)
}

const isMore = (one: number | null, other: number | null) =>
  other !== null && (one === null || one > other)

const quartersOfWeek = Array.from({ length: 7 * 96 }, (_, at) => at * quarterMs)

/** Whether an approved or running plan covers another. */
export const covers = (wide: Plan, narrow: Plan, now: number): boolean =>
  wide.objective === narrow.objective &&
  wide.zone === narrow.zone &&
  !isMore(narrow.daily, wide.daily) &&
  !isMore(narrow.lifetime, wide.lifetime) &&
  !isMore(narrow.end, wide.end) &&
  Math.max(narrow.start ?? 0, now) >= (wide.start ?? 0) &&
  quartersOfWeek.every((at) => !isOpenAt(narrow.schedule, at) || isOpenAt(wide.schedule, at))
