/** The shapes of JSON columns of reports. */

/** The results that a report is about: those that meet all members given. */
export type ReportFilter = {
  client_id?: string[]
  profile_id?: string[]
  platform?: string[]
  label?: string[]
  currency?: string[]
  status?: string[]
}

/** By its name, which moves on with the days, or by both ends. */
export type ReportPeriod =
  | ('today' | 'yesterday' | 'last_7_days' | 'last_30_days')
  | ('this_month' | 'last_month' | 'this_quarter' | 'this_year')
  | { from: string; to: string }

export type ReportSection =
  | ('headline' | 'changes' | 'next' | 'summary' | 'plan' | 'pacing' | 'daily')
  | ('by_platform' | 'by_profile' | 'by_campaign' | 'notes')

/** Texts of people in a report. */
export type ReportTexts = {
  headline: string | null
  why: string | null
  next: string | null
  notes: string | null
}

/** A report with its figures, as the API answers it. */
export type SnapshotContent = Readonly<Record<string, unknown>>
