import type { AgentRefusal, AgentTerms } from '../../database/tables/json-columns.ts'
import { Problem } from '../../problems/problem.ts'

export const applyModes = [
  'never',
  'approved',
  'within_envelope',
] as const satisfies readonly AgentTerms['apply'][]

export const agentStopped = () =>
  new Problem('agent_stopped', 'The writes of this key are stopped: only pausing goes on.')

const hourMs = 60 * 60 * 1000

/** Number of the refusals within the last hour, by the real time. */
export const refusalsInHour = (refusals: readonly AgentRefusal[], now: Date): number => {
  const since = new Date(now.getTime() - hourMs).toISOString()
  return refusals.filter(({ at }) => at > since).length
}
