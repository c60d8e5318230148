import type { Row } from '../../database/tables/tenant-tables.ts'
import type { deploymentStates } from './resource.ts'

/** The states of a deployment: the only place that defines them. */

export const actions = ['check', 'retry', 'overwrite', 'adopt', 'remove'] as const
export type DeploymentAction = (typeof actions)[number]

export type DeploymentState = (typeof deploymentStates)[number]

/** The facts that the state follows from. */
export type StateFacts = Pick<
  Row<'deployments'>,
  'state' | 'requested' | 'error' | 'retry_at' | 'generation' | 'applied_generation' | 'drift'
>

type StateRule = {
  state: DeploymentState
  description: string
  holds: (facts: StateFacts) => boolean
  /** The actions that it allows. */
  actions: readonly DeploymentAction[]
  isFinal?: true
}

const isTryingAgain = ({ error, retry_at }: StateFacts) => error !== null && retry_at !== null

/** The first that holds is the state. */
export const stateRules: readonly StateRule[] = [
  {
    state: 'removed',
    description: 'The connector has ended the object in the network.',
    holds: ({ state }) => state === 'removed',
    actions: [],
    isFinal: true,
  },
  {
    state: 'removing',
    description: 'Its removal was asked for, and the connector has not reported it yet.',
    holds: ({ requested }) => requested === 'remove',
    actions: ['check', 'retry'],
  },
  {
    state: 'blocked',
    description: 'It cannot go on until a person acts.',
    holds: (facts) => facts.error !== null && !isTryingAgain(facts),
    actions: ['check', 'retry', 'adopt', 'remove'],
  },
  {
    state: 'failed',
    description: 'The last try failed; another follows.',
    holds: isTryingAgain,
    actions: ['check', 'retry', 'remove'],
  },
  {
    state: 'pending',
    description: 'The network does not have the newest values yet.',
    holds: ({ generation, applied_generation }) => generation > applied_generation,
    actions: ['check', 'remove'],
  },
  {
    state: 'drifted',
    description: 'The network shows other values than it was given.',
    holds: ({ drift }) => drift.length > 0,
    actions: ['check', 'overwrite', 'adopt', 'remove'],
  },
  {
    state: 'in_sync',
    description: 'The network has what it should have.',
    holds: () => true,
    actions: ['check', 'remove'],
  },
]

/** The rule of the state that follows from the facts. */
export function ruleOf(facts: StateFacts): StateRule {
  const rule = stateRules.find(({ holds }) => holds(facts))
  if (!rule) throw new Error('every deployment has a state')
  return rule
}
