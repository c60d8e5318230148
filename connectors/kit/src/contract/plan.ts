import type { Schema } from '@flightdeckhq/sdk'

/** A campaign on both sides: as it should be, and as it was seen. */

export type Plan = Schema<'DeploymentPlan'>
/** Members that cannot be seen in the network are left out. */
export type Observed = Schema<'ObservedPlan'>
export type WorkItem = Schema<'ConnectorWork'>
/** A deployment as a change set would leave it: to be judged, and not to be done. */
export type CheckItem = Schema<'ConnectorCheck'>

export const fields = ['name', 'status', 'budget', 'dates', 'schedule'] as const
export type Field = (typeof fields)[number]

/** The members of a plan that each field stands for. */
export const membersOf = {
  name: ['name'],
  status: ['run'],
  budget: ['daily_budget_minor', 'lifetime_budget_minor'],
  dates: ['start_at', 'end_at'],
  schedule: ['schedule'],
} as const satisfies Record<Field, readonly (keyof Plan)[]>

/** native: the network keeps it. emulated: the service does, by pausing. refused: neither. */
export type Coverage = Readonly<Record<Field, 'native' | 'emulated' | 'refused'>>
