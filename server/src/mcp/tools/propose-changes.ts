import { memberOf } from '../../values/objects.ts'
import { apiPath } from '../call.ts'
import { keyHeader } from '../paths.ts'
import type { Tool } from '../tool.ts'

export const proposeChanges: Tool = {
  name: 'propose_changes',
  description:
    'Propose changes as one change set; nothing happens until it is applied. Answers with the effects, the change of spend, and what the rules refuse. Operations: {op: "update", id, body: {daily_budget: 100}}, {op: "action", id, action: "pause"}, {op: "create", body}.',
  properties: {
    title: { type: 'string' },
    description: { type: 'string', description: 'Why, for reviewers' },
    operations: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: 100 },
    dry_run: { type: 'boolean', description: 'Only check; store nothing' },
    idempotency_key: { type: 'string', description: 'Repeats with it are done once' },
  },
  required: ['title', 'operations'],
  async run(api, given) {
    const { title, description, operations, dry_run: dryRun } = given
    const changeSet = await api({
      method: 'POST',
      path: `${apiPath}/change_sets`,
      query: dryRun === true ? { validate_only: true } : {},
      body: { title, operations, ...(description !== undefined && { description }) },
      headers: keyHeader(given),
    })
    if (dryRun === true) return { said: 'Checked; nothing is stored.', data: { changeSet } }
    const id = String(memberOf(changeSet, 'id'))
    const listed = await api({
      path: `${apiPath}/change_sets/${id}/operations`,
      query: { limit: 100, fields: 'index,op,action,effect,changes,warnings,problem' },
    })
    const isApplicable = memberOf(changeSet, 'applicable') === true
    return {
      said: `Proposed; nothing has changed yet. ${isApplicable ? `People see it at /console/change-sets/${id}.` : 'It cannot be applied as it is: failures say why.'}`,
      data: { change_set: changeSet, operations: memberOf(listed, 'data') },
    }
  },
}
