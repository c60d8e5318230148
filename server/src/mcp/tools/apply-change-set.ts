import { keyHeader, pathWith } from '../paths.ts'
import type { Tool } from '../tool.ts'

export const applyChangeSet: Tool = {
  name: 'apply_change_set',
  description:
    'Apply a change set: what it changes then happens. Guardrails and approvals hold; what needs a person is refused, with the page where they approve it.',
  isDestructive: true,
  properties: {
    id: { type: 'string', description: 'chs_…' },
    version: { type: 'integer', description: 'The version that was read', minimum: 1 },
    idempotency_key: { type: 'string' },
  },
  required: ['id'],
  async run(api, given) {
    const { id, version } = given
    const changeSet = await api({
      method: 'POST',
      path: pathWith('/change_sets/{id}/apply', id),
      headers: {
        ...keyHeader(given),
        ...(version !== undefined && { 'if-match': `"${String(version)}"` }),
      },
    })
    return { said: 'Applied.', data: { change_set: changeSet } }
  },
}
