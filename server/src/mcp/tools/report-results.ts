import { apiPath } from '../call.ts'
import { keyHeader } from '../paths.ts'
import type { Tool } from '../tool.ts'

export const reportResults: Tool = {
  name: 'report_results',
  description:
    'Report what networks measured, by campaign and day; a later report of a day replaces it. Rows: {campaign_id, date, spend, impressions, clicks, conversions, is_final}.',
  isIdempotent: true,
  properties: {
    source: { type: 'string', description: 'Such as google_ads' },
    reported_at: { type: 'string', description: 'When the figures were true' },
    complete_through: { type: 'string', description: 'The last complete day' },
    rows: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: 500 },
    idempotency_key: { type: 'string' },
  },
  required: ['source', 'rows'],
  async run(api, given) {
    const { idempotency_key: _, ...body } = given
    const report = await api({
      method: 'POST',
      path: `${apiPath}/results`,
      body,
      headers: keyHeader(given),
    })
    return { said: 'Reported.', data: { report } }
  },
}
