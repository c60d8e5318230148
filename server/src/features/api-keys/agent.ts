import type { AgentTerms } from '../../database/tables/json-columns.ts'
import { type Fault, fault } from '../../problems/fault.ts'
import { amountsInMajor, readAmounts } from '../../schema/amounts.ts'
import type { ApiKey, ApiKeyInput } from './schema.ts'

type Normalized = { agent: AgentTerms | null; faults: Fault[] }

/** The terms of an agent in minor units, which stay as long as its key. */
export function normalizeAgent({ role, agent }: ApiKeyInput): Normalized {
  if (!agent) return { agent: null, faults: [] }
  const faults: Fault[] = []
  const { apply, envelope_24h: sent } = agent
  if (role !== 'editor') {
    faults.push(fault('/agent', 'agent_not_allowed', 'is for the role editor only'))
  }
  const pointer = '/agent/envelope_24h'
  const takesEnvelope = apply === 'within_envelope'
  const hasEnvelope = sent !== undefined && sent !== null
  if (!takesEnvelope && hasEnvelope) {
    faults.push(fault(pointer, 'agent_not_allowed', 'is for within_envelope only'))
  }
  if (takesEnvelope && (!hasEnvelope || Object.keys(sent).length === 0)) {
    faults.push(fault(pointer, 'required', 'is required for within_envelope, with a currency'))
  }
  const amounts = readAmounts(sent ?? {}, { pointer, faults, sign: 'not negative' })
  return { agent: { apply, envelope_24h: takesEnvelope ? amounts : null }, faults }
}

export const shownAgent = ({ apply, envelope_24h }: AgentTerms): ApiKey['agent'] => ({
  apply,
  envelope_24h: envelope_24h && amountsInMajor(envelope_24h),
})
