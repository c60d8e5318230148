import type { Body } from '@flightdeckhq/sdk'
import { bodyOf } from '../../../ui/forms/body.ts'
import type { Report } from '../queries.ts'

/** Unlike the stored report, it may hold a new logo: base64, or null for none any more. */
export const valuesOf = ({ name, client_id, filter, ...report }: Report): ReportValues => ({
  ...{ name, client_id, filter },
  period: report.period,
  compare: report.compare,
  sections: report.sections,
  texts: report.texts,
  logo: undefined,
})

export type ReportValues = Pick<
  Report,
  'name' | 'client_id' | 'filter' | 'period' | 'compare' | 'sections' | 'texts'
> & {
  /** Undefined: as it is stored. */
  logo: string | null | undefined
}
export type Filter = NonNullable<ReportValues['filter']>

type Changes = Body<'updateReport'>

export const changesIn = ({ filter, ...others }: Partial<ReportValues>): Changes =>
  bodyOf({ ...others, ...(filter !== undefined && { filter: whole(filter) }) })

/** A filter of nothing is everything. */
function whole(filter: ReportValues['filter']): ReportValues['filter'] {
  const set = Object.entries(filter ?? {}).filter(([, value]) => value.length > 0)
  return set.length === 0 ? null : Object.fromEntries(set)
}
