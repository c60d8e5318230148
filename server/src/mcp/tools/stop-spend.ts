import { memberOf } from '../../values/objects.ts'
import { type Api, apiPath, Refusal, refused } from '../call.ts'
import { pathWith } from '../paths.ts'
import type { Tool } from '../tool.ts'

const most = 50

export const stopSpend: Tool = {
  name: 'stop_spend',
  description:
    'Pause campaigns at once: up to 50 ids, or the active ones of a profile. Always safe; campaigns that already rest are left alone.',
  isIdempotent: true,
  properties: {
    ids: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: most },
    profile_id: { type: 'string' },
    reason: { type: 'string' },
  },
  async run(api, { ids, profile_id: profile, reason }) {
    if ((ids === undefined) === (profile === undefined)) {
      throw refused('invalid_arguments', 'Give either ids or profile_id.')
    }
    const { chosen, hasMore } = Array.isArray(ids)
      ? { chosen: ids.map(String), hasMore: false }
      : await activeOf(api, profile)
    const outcomes: StopOutcome[] = []
    for (const id of new Set(chosen)) outcomes.push(await paused(api, id, reason))
    const count = (outcome: string) => outcomes.filter((each) => each.outcome === outcome).length
    const rest = hasMore ? ' The profile has more that are active: call again.' : ''
    return {
      said: `${count('paused')} paused, ${count('at_rest')} at rest before, ${count('refused')} refused.${rest}`,
      data: { campaigns: outcomes, has_more: hasMore },
    }
  },
}

async function activeOf(api: Api, profile: unknown) {
  const query = { profile_id: profile, status: 'active', limit: most, fields: 'id' }
  const page = await api({ path: `${apiPath}/campaigns`, query })
  const rows = memberOf(page, 'data')
  const chosen = (Array.isArray(rows) ? rows : []).map((row) => String(memberOf(row, 'id')))
  const meta = memberOf(page, 'meta')
  return { chosen, hasMore: typeof memberOf(meta, 'next_cursor') === 'string' }
}

type StopOutcome = { id: string; outcome: string; problem?: unknown }

async function paused(api: Api, id: string, reason: unknown): Promise<StopOutcome> {
  try {
    const body = typeof reason === 'string' ? { reason } : undefined
    await api({ method: 'POST', path: pathWith('/campaigns/{id}/pause', id), body })
    return { id, outcome: 'paused' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (isTurnedAway(error)) throw error
    const isAtRest = memberOf(error.problem, 'code') === 'invalid_state_transition'
    return isAtRest
      ? { id, outcome: 'at_rest' }
      : { id, outcome: 'refused', problem: error.problem }
  }
}

/** Refusals of the caller rather than of a campaign. */
const isTurnedAway = ({ problem }: Refusal) =>
  [401, 429, 503].includes(Number(memberOf(problem, 'status')))
