/** The shapes of JSON columns of deployments and of the accounts that connectors hold. */
import type { Tables } from './types.ts'

type Objective = Tables['campaigns']['objective']

type ScheduleWindow = {
  day: 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'
  start: string
  end: string
}

/** A campaign as its network should run it. */
export type DeploymentPlan = {
  name: string
  objective: Objective
  run: 'enabled' | 'paused'
  daily_budget_minor: number | null
  lifetime_budget_minor: number | null
  currency: string
  start_at: string | null
  end_at: string | null
  time_zone: string
  schedule: ScheduleWindow[]
  settings: NetworkSettings
}

/** Settings that only the network knows; judged by its connector. */
export type NetworkSettings = Record<string, unknown>

export type ManagedField = 'name' | 'status' | 'budget' | 'dates' | 'schedule'

/** Members that a connector could not see are left out. */
export type ObservedPlan = { [Member in keyof DeploymentPlan]?: DeploymentPlan[Member] | null }

export type DriftedField = {
  field: ManagedField
  desired: unknown
  observed: unknown
  since: string
}

export type Coverage = { [Field in ManagedField]?: 'native' | 'emulated' | 'refused' }

export type NetworkDelivery = {
  state: 'delivering' | 'not_delivering' | 'unknown'
  reasons: string[]
  at: string
}

/** The reason why a deployment, or a connection, does not go on. */
export type DeploymentError = {
  code: DeploymentErrorCode
  message: string
  retry: 'transient' | 'correctable'
  errors: { pointer: string; message: string }[]
  network: { code: string | null; subcode: string | null; request_id: string | null } | null
}

/** A deployment as it would be after an operation of a change set, and what its network says of it. */
export type NetworkCheck = {
  deployment_id: string
  profile_id: string
  desired: DeploymentPlan
  outcome: 'open' | 'accepted' | 'refused'
  error: Pick<DeploymentError, 'code' | 'message' | 'errors'> | null
  checked_at: string | null
}

type DeploymentErrorCode =
  | ('credential' | 'permission' | 'billing' | 'declaration' | 'setting' | 'account_suspended')
  | ('cannot_hold' | 'cannot_change' | 'currency_mismatch' | 'time_zone_mismatch' | 'invalid')
  | ('rate_limited' | 'transient' | 'unknown_outcome' | 'gone')

/** A creation that was about to be made, and how often it was not found since. */
export type CreationIntent = { generation: number; at: string; looks: number }

/** A deployment as its campaign shows it. */
export type DeploymentSummary = {
  id: string
  state: Tables['deployments']['state']
  network_object_id: string | null
  drift_fields: ManagedField[]
  not_delivering: boolean
}

export type NetworkAccount = {
  ref: string
  name: string | null
  currency: string
  time_zone: string
  status: string
}

export type NetworkCredential = {
  state: 'valid' | 'expiring' | 'expired' | 'invalid'
  expires_at: string | null
}
