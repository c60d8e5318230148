import { isDeepStrictEqual } from 'node:util'
import type {
  Coverage,
  DeploymentPlan,
  DriftedField,
  ManagedField,
  NetworkSettings,
  ObservedPlan,
} from '../../database/tables/json-columns.ts'
import type { Campaign } from '../campaigns/schema.ts'
import { managedFields } from './resource.ts'

/** Computes what a network should run of a campaign, and where that differs from what it runs. Pure. */

/** The members of a plan that each field stands for. */
export const membersOf = {
  name: ['name'],
  status: ['run'],
  budget: ['daily_budget_minor', 'lifetime_budget_minor', 'currency'],
  dates: ['start_at', 'end_at', 'time_zone'],
  schedule: ['schedule'],
} as const satisfies Record<ManagedField, readonly (keyof DeploymentPlan)[]>

type Terms = { coverage: Coverage; settings: NetworkSettings }

export const desiredOf = (campaign: Campaign, { coverage, settings }: Terms): DeploymentPlan => ({
  name: campaign.name,
  objective: campaign.objective,
  run: isToRun(campaign, coverage) ? 'enabled' : 'paused',
  daily_budget_minor: campaign.daily_budget_minor,
  lifetime_budget_minor: campaign.lifetime_budget_minor,
  currency: campaign.currency,
  start_at: campaign.start_at,
  end_at: campaign.end_at,
  time_zone: campaign.time_zone,
  schedule: campaign.schedule,
  settings,
})

/** Reasons that the network itself keeps to, or that only say what it does. */
const toleratedWith = ({ dates, schedule }: Coverage): readonly string[] => [
  ...(dates === 'native' ? ['before_start'] : []),
  ...(schedule === 'native' ? ['outside_schedule'] : []),
  ...['network_not_delivering', 'network_drift', 'connector_stale'],
]

function isToRun({ status, delivery }: Campaign, coverage: Coverage): boolean {
  const isLive = status === 'active' || (status === 'scheduled' && coverage.dates === 'native')
  const tolerated = toleratedWith(coverage)
  return isLive && delivery.reasons.every((reason) => tolerated.includes(reason))
}

/** The fields that the connector is to keep. */
export const managedIn = (chosen: readonly ManagedField[] | null, coverage: Coverage) =>
  managedFields.filter(
    (field) => coverage[field] !== 'refused' && (chosen === null || chosen.includes(field)),
  )

type Compared = {
  desired: DeploymentPlan
  observed: ObservedPlan | null
  coverage: Coverage
  managed_fields: ManagedField[] | null
  /** The differences that were known, which keep their times. */
  drift: readonly DriftedField[]
}

/** The managed fields whose values in the network are others. What was not seen does not differ. */
export function driftOf(
  { desired, observed, coverage, managed_fields, drift }: Compared,
  now: string,
): DriftedField[] {
  if (observed === null) return []
  return managedIn(managed_fields, coverage)
    .filter((field) => field === 'status' || coverage[field] !== 'emulated')
    .filter((field) => membersOf[field].some((member) => isOther(desired, observed, member)))
    .map((field) => ({
      field,
      desired: valueIn(desired, field),
      observed: valueIn(observed, field),
      since: drift.find((each) => each.field === field)?.since ?? now,
    }))
}

const isOther = (desired: DeploymentPlan, observed: ObservedPlan, member: keyof DeploymentPlan) =>
  observed[member] !== undefined && !isDeepStrictEqual(desired[member], observed[member])

/** The value of a field of one member, or an object with those of several. */
function valueIn(plan: ObservedPlan, field: ManagedField): unknown {
  const members: readonly (keyof DeploymentPlan)[] = membersOf[field]
  const [only] = members
  if (only !== undefined && members.length === 1) return plan[only] ?? null
  return Object.fromEntries(members.map((member) => [member, plan[member] ?? null]))
}

/** Whether both say the same. */
export const isSamePlan = (one: DeploymentPlan, other: DeploymentPlan): boolean =>
  isDeepStrictEqual(one, other)

const quarterMs = 15 * 60_000

/** When the clock may change what should run; null where the network keeps the hours itself. */
export function nextLook({ status, schedule }: Campaign, coverage: Coverage, now: string) {
  if (status !== 'active' || schedule.length === 0 || coverage.schedule === 'native') return null
  // Windows begin and end at quarter hours, in every time zone.
  return new Date((Math.floor(Date.parse(now) / quarterMs) + 1) * quarterMs).toISOString()
}
