import type { Tag } from '../../http/endpoint.ts'
import { permission, roles } from '../../identity/permissions.ts'
import { idType } from '../../values/ids.ts'

export const tag: Tag = {
  name: 'Results',
  description: 'What was spent and achieved, day by day, as your own connectors report it.',
}

export const reportIds = idType('report', 'rpt')

export const readResults = permission('results.read', roles)
export const writeResults = permission('results.write', ['owner', 'admin', 'editor', 'reporter'])

/** Of what `results.reported` is about: every campaign with a new figure or a later report. */
export const campaignsIn = (report: Readonly<Record<string, unknown>> | null): string[] =>
  Array.isArray(report?.campaign_ids) ? report.campaign_ids.map(String) : []
