import { memberOf } from '../../values/objects.ts'
import { Refusal } from '../call.ts'
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
    const path = pathWith('/change_sets/{id}/apply', id)
    const headers = {
      ...keyHeader(given),
      ...(version !== undefined && { 'if-match': `"${String(version)}"` }),
    }
    try {
      const changeSet = await api({ method: 'POST', path, headers })
      return { said: 'Applied.', data: { change_set: changeSet } }
    } catch (error) {
      throw withPage(error, `/console/change-sets/${String(id)}`)
    }
  },
}

/** Says where people approve it, to what waits for them. */
function withPage(error: unknown, page: string): unknown {
  if (!(error instanceof Refusal)) return error
  const { problem } = error
  const waits = ['approval_required', 'guardrail_violation', 'agent_envelope_exceeded'].includes(
    String(memberOf(problem, 'code')),
  )
  return waits ? new Refusal({ ...Object(problem), page }) : error
}
