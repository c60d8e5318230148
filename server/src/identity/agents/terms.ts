import type { AgentTerms } from '../../database/tables/json-columns.ts'
import { Problem } from '../../problems/problem.ts'

export const applyModes = [
  'never',
  'approved',
  'within_envelope',
] as const satisfies readonly AgentTerms['apply'][]

export const agentStopped = () =>
  new Problem('agent_stopped', 'The writes of this key are stopped: only pausing goes on.')
