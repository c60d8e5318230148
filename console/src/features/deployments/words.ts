import type { Schema } from '../../flightdeck.ts'

/** The parts of a campaign that a connector keeps. */
export const managedFields = ['name', 'status', 'budget', 'dates', 'schedule'] as const
export type ManagedField = (typeof managedFields)[number]

const fieldNames: Readonly<Record<string, string>> = {
  name: 'Name',
  status: 'Status',
  budget: 'Budgets',
  dates: 'Dates',
  schedule: 'Week schedule',
}

export const fieldName = (field: string): string => fieldNames[field] ?? field

export const fieldChoices = managedFields.map((value) => ({ value, name: fieldName(value) }))

export const policyChoices = [
  { value: 'report', name: 'Report it, and leave the network as it is' },
  { value: 'overwrite', name: 'Overwrite it with the values of the campaign' },
] as const

type Available = Schema<'AvailableDeploymentAction'>

const blocks: Readonly<Record<string, string>> = {
  insufficient_role: 'Your role does not allow it.',
  not_bound: 'The campaign in the network is not known yet.',
  nothing_observed: 'Nothing was seen in the network yet.',
}

/** The reason why an action that the state allows cannot be taken; null if it can. */
export const blockedBy = ({ allowed, blocked_by }: Available): string | null =>
  allowed ? null : blocked_by.map((each) => blocks[each] ?? each).join(' ')

type ActionWords = { name: string; asked: string; follows: string }

export const actionWords: Readonly<Record<string, ActionWords>> = {
  check: {
    name: 'Check',
    asked: 'A check was asked for',
    follows: 'The connector looks at the campaign in the network soon, and changes nothing.',
  },
  retry: {
    name: 'Retry',
    asked: 'Another try was asked for',
    follows: 'The connector tries again at once. What the network has no longer is made anew.',
  },
  overwrite: {
    name: 'Overwrite',
    asked: 'It is being overwritten',
    follows: 'The connector gives the network the values of the campaign again.',
  },
  adopt: {
    name: 'Adopt',
    asked: 'The values of the network were adopted',
    follows: 'The campaign takes over what runs in the network. Guardrails and approvals hold.',
  },
  remove: {
    name: 'Remove',
    asked: 'Its removal was asked for',
    follows: 'The connector ends the campaign in the network, for good.',
  },
}

/** Only addresses of the web: the text comes from a network. */
export const webAddress = (text: string | null): string | null =>
  /^https?:$/.test(URL.parse(text ?? '')?.protocol ?? '') ? text : null
