import { memberOf } from '../../values/objects.ts'
import { apiPath } from '../call.ts'
import type { Tool } from '../tool.ts'
import { counted } from './counted.ts'

export const recentChanges: Tool = {
  name: 'recent_changes',
  description: 'What happened, as events: newest first, or from a time on, oldest first.',
  isReadOnly: true,
  properties: {
    since: { type: 'string', description: 'A time, such as 2026-11-21T06:00:00Z' },
    type: { type: 'string', description: 'Such as campaign.*' },
    cursor: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 50 },
  },
  async run(api, { since, ...given }) {
    const order = since === undefined ? {} : { occurred_after: since, sort: 'sequence' }
    const query = { limit: 25, ...given, ...order }
    const page = await api({ path: `${apiPath}/events`, query })
    return { said: `${counted(memberOf(page, 'data'), 'event')}.`, data: { page } }
  },
}
