import { addDays, formatDate } from '../../data/values/time.ts'
import type { Report } from './queries.ts'

export const periods = [
  { value: 'last_month', name: 'Last month' },
  { value: 'this_month', name: 'This month' },
  { value: 'last_7_days', name: 'Last 7 days' },
  { value: 'last_30_days', name: 'Last 30 days' },
  { value: 'this_quarter', name: 'This quarter' },
  { value: 'this_year', name: 'This year' },
  { value: 'yesterday', name: 'Yesterday' },
  { value: 'today', name: 'Today' },
] as const

export type NamedPeriod = (typeof periods)[number]['value']

export const comparisons = [
  { value: null, name: 'Nothing' },
  { value: 'previous_period', name: 'As many days before' },
  { value: 'previous_year', name: 'The same days a year before' },
] as const

/** Both ends included, as people count days. */
export function periodText(period: Report['period']): string {
  if (typeof period === 'string') {
    return periods.find(({ value }) => value === period)?.name ?? period
  }
  return `${formatDate(period.from)} to ${formatDate(addDays(period.to, -1))}`
}

export const compareText = (compare: Report['compare']): string =>
  comparisons.find(({ value }) => value === compare)?.name ?? '–'

export const sectionNames: Readonly<Record<Report['sections'][number], string>> = {
  headline: 'Headline',
  changes: 'What changed',
  next: 'What comes next',
  summary: 'Summary',
  plan: 'Plan',
  pacing: 'Pacing',
  daily: 'By day',
  by_platform: 'By platform',
  by_profile: 'By account',
  by_campaign: 'By campaign',
  notes: 'Notes',
}
