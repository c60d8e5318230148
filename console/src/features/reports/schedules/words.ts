import { dayNames, days } from '../../../data/values/week.ts'
import type { Schema } from '../../../flightdeck.ts'

export type ReportSchedule = Schema<'ReportSchedule'>
type Times = Pick<ReportSchedule, 'every' | 'day' | 'hour'>

const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

const weekday = (day: number): string => {
  const name = days[day - 1]
  return name ? dayNames[name] : String(day)
}

const lastDay = 31

/** The days of a week, or of a month, to choose from. */
export const dayChoices = (every: string) =>
  Array.from({ length: every === 'week' ? days.length : lastDay }, (_, at) => ({
    value: String(at + 1),
    name: every === 'week' ? weekday(at + 1) : dayOfMonth(at + 1),
  }))

const dayOfMonth = (day: number): string => (day === lastDay ? 'The last day' : `Day ${day}`)

export const hourChoices = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  name: hourText(hour),
}))

/** `Every Monday at 08:00` */
export function timesText({ every, day, hour }: Times): string {
  const days = every === 'week' ? `Every ${weekday(day)}` : `${dayOfMonth(day)} of each month`
  return `${days} at ${hourText(hour)}`
}

const shown = 2

/** The first addresses, and the number of the others. */
export function recipientsText(recipients: readonly string[]): string {
  const more = recipients.length - shown
  const first = recipients.slice(0, shown).join(', ')
  return more > 0 ? `${first} and ${more} more` : first
}

const reasons: Readonly<Record<string, string>> = {
  insufficient_role: 'Who switched it on may not send reports any more.',
  out_of_scope: 'Who switched it on does not see this report any more.',
}

/** The reason why it is off, or was not sent; null where all is well. */
export const troubleOf = ({ status, disabled_reason, last_error }: ReportSchedule) =>
  status === 'disabled' ? (reasons[disabled_reason ?? ''] ?? null) : last_error
