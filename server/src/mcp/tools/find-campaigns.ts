import { memberOf } from '../../values/objects.ts'
import { apiPath } from '../call.ts'
import type { Tool } from '../tool.ts'
import { counted } from './counted.ts'

const compact =
  'id,name,status,status_reason,delivery,currency,daily_budget,lifetime_budget,end_at,labels'

export const findCampaigns: Tool = {
  name: 'find_campaigns',
  description:
    'Find campaigns: compact rows with budgets, state, and why they do not deliver. What is null or empty is left out.',
  isReadOnly: true,
  properties: {
    q: { type: 'string', description: 'Words of the name' },
    status: {
      type: 'string',
      description: 'draft, pending_review, scheduled, active, paused, completed, archived',
    },
    delivery: { type: 'string' },
    pacing_status: { type: 'string', description: 'over, under, critical, …' },
    client_id: { type: 'string' },
    profile_id: { type: 'string' },
    label: { type: 'string' },
    sort: { type: 'string', description: 'Such as -spend, -money_at_risk, name' },
    cursor: { type: 'string', description: 'meta.next_cursor of the page before' },
    limit: { type: 'integer', minimum: 1, maximum: 50 },
  },
  async run(api, given) {
    const query = { limit: 25, ...given, fields: compact }
    const page = await api({ path: `${apiPath}/campaigns`, query })
    return {
      said: `${counted(memberOf(page, 'data'), 'campaign')}.`,
      data: { page: { ...Object(page), data: rowsOf(page) } },
    }
  },
}

/** A page costs a model tokens: what says nothing is left out. */
function rowsOf(page: unknown): object[] {
  const rows = memberOf(page, 'data')
  return (Array.isArray(rows) ? rows : []).map((row) => {
    const shown = { ...Object(row), delivery: inWords(memberOf(row, 'delivery')) }
    return Object.fromEntries(Object.entries(shown).filter(([, value]) => !saysNothing(value)))
  })
}

/** `eligible`, or `not_eligible: not_launched`. */
function inWords(delivery: unknown): string {
  const reasons = memberOf(delivery, 'reasons')
  const why = Array.isArray(reasons) && reasons.length > 0 ? `: ${reasons.join(', ')}` : ''
  return `${String(memberOf(delivery, 'state'))}${why}`
}

const saysNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)
