import { Type } from 'typebox'
import {
  bodyOf,
  choice,
  idOf,
  minorUnits,
  oneLine,
  orNull,
  pageOfSchema,
  rows,
  stamps,
  text,
  texts,
  time,
} from '../../schema/fields.ts'
import { ObjectiveName } from '../campaigns/lifecycle/names.ts'
import { campaignIds } from '../campaigns/resource.ts'
import { days } from '../campaigns/schedule/dayparting.ts'
import { profileIds } from '../profiles/resource.ts'
import { deploymentIds, errorCodes, FieldName, managedFields, StateName } from './resource.ts'
import { actions } from './states.ts'

export const modes = ['create', 'link'] as const
const driftPolicies = ['report', 'overwrite'] as const
const outcomesOfCoverage = ['native', 'emulated', 'refused'] as const

const ActionName = choice(actions, {
  title: 'DeploymentAction',
  description: 'What can be asked for.',
})

const Mode = choice(modes, {
  description: 'create: the connector makes the object. link: it exists, and is taken over.',
})
const DriftPolicy = choice(driftPolicies, {
  description: 'Whether what was changed in the network is reported, or overwritten.',
})

export const NetworkObjectId = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: oneLine,
  description: 'The id of the campaign in its network.',
  examples: ['21840012345'],
})

const Settings = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'What only the network knows, at most 8 KiB; judged by its connector.',
  examples: [{ contains_eu_political_advertising: 'DOES_NOT_CONTAIN' }],
})

export const shortLine = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: oneLine, description })

const deploymentFields = {
  mode: Mode,
  network_object_id: Type.Optional(orNull(NetworkObjectId)),
  managed_fields: Type.Optional(
    orNull(
      Type.Array(FieldName, {
        minItems: 1,
        maxItems: managedFields.length,
        uniqueItems: true,
        description: 'What the connector keeps; null: all that it can hold.',
      }),
    ),
  ),
  drift_policy: Type.Optional(DriftPolicy),
  settings: Type.Optional(Settings),
}

export const DeploymentBody = bodyOf(deploymentFields, { title: 'DeploymentInput' })
export type DeploymentInput = Type.Static<typeof DeploymentBody>

/** Fields of a campaign as its network should run it. */
const planFields = {
  name: text('Name of the campaign.'),
  objective: ObjectiveName,
  run: choice(['enabled', 'paused'], { description: 'Whether it runs.' }),
  daily_budget_minor: orNull(minorUnits('The daily budget.')),
  lifetime_budget_minor: orNull(minorUnits('The lifetime budget.')),
  currency: text('ISO 4217 code of the budgets.'),
  start_at: orNull(time('When it starts.')),
  end_at: orNull(time('When it ends.')),
  time_zone: text('IANA name; the schedule is on its wall clock.'),
  schedule: Type.Array(
    Type.Object({
      day: choice(days, { description: 'Weekday.' }),
      start: text('`HH:MM`.'),
      end: text('`HH:MM`.'),
    }),
    { description: 'When it may deliver; empty: always.' },
  ),
  settings: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'As given.',
  }),
}

const Plan = Type.Object(planFields, {
  title: 'DeploymentPlan',
  description: 'What the network should run.',
})

const amount = Type.Integer({
  title: 'ObservedAmount',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'In minor units.',
})

const window = bodyOf({
  day: choice(days, { description: 'Weekday.' }),
  start: Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: '`HH:MM`.' }),
  end: Type.String({ pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$', description: '`HH:MM`.' }),
})

export const instant = Type.String({ format: 'date-time', description: 'RFC 3339.' })

/** A campaign as it was seen in its network. */
export const Observed = bodyOf(
  {
    name: Type.Optional(orNull(Type.String({ maxLength: 1_000, description: 'Its name.' }))),
    objective: Type.Optional(orNull(ObjectiveName)),
    run: Type.Optional(orNull(choice(['enabled', 'paused'], { description: 'Whether it runs.' }))),
    daily_budget_minor: Type.Optional(orNull(amount)),
    lifetime_budget_minor: Type.Optional(orNull(amount)),
    currency: Type.Optional(
      orNull(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' })),
    ),
    start_at: Type.Optional(orNull(instant)),
    end_at: Type.Optional(orNull(instant)),
    time_zone: Type.Optional(orNull(shortLine(64, 'IANA name.'))),
    schedule: Type.Optional(
      orNull(
        Type.Array(window, {
          title: 'ObservedSchedule',
          maxItems: 168,
          description: 'Its hours; empty: always.',
        }),
      ),
    ),
    settings: Type.Optional(
      orNull(
        Type.Unsafe<Record<string, unknown>>({
          title: 'ObservedSettings',
          type: 'object',
          additionalProperties: true,
          maxProperties: 100,
          description: 'What only the network knows.',
        }),
      ),
    ),
  },
  {
    title: 'ObservedPlan',
    description: 'What was last seen in the network. Members that cannot be seen are left out.',
  },
)

const anyValue = (description: string) => Type.Unsafe<unknown>({ description })

const Drift = Type.Object(
  {
    field: FieldName,
    desired: anyValue('The value that it should have.'),
    observed: anyValue('The value that was seen.'),
    since: time('When the difference was first seen.'),
  },
  { title: 'DriftedField' },
)

const coverage = choice(outcomesOfCoverage, {
  description: 'native: the network keeps it. emulated: the connector does. refused: neither.',
})

const Covered = Type.Object(
  {
    name: Type.Optional(coverage),
    status: Type.Optional(coverage),
    budget: Type.Optional(coverage),
    dates: Type.Optional(coverage),
    schedule: Type.Optional(coverage),
  },
  { title: 'DeploymentCoverage', description: 'How each field is kept, as its connector says.' },
)

export const CoveredInput = bodyOf(Covered.properties, {
  title: 'DeploymentCoverageInput',
  description: 'How each field is kept.',
})

const NetworkDelivery = Type.Object(
  {
    state: choice(['delivering', 'not_delivering', 'unknown'], {
      description: 'Whether the network delivers it.',
    }),
    reasons: texts('The network’s reasons, in plain words.'),
    at: time('When that was seen.'),
  },
  { title: 'NetworkDelivery', description: 'What the network says of its delivery.' },
)

export const DeploymentError = Type.Object(
  {
    code: choice(errorCodes, { title: 'DeploymentErrorCode', description: 'The kind of fault.' }),
    message: text('The fault in one sentence.'),
    retry: choice(['transient', 'correctable'], {
      description: 'transient: tried again by itself. correctable: a person must act.',
    }),
    errors: Type.Array(
      Type.Object({ pointer: text('The field at fault.'), message: text('The fault.') }),
      { description: 'Faults of single fields.' },
    ),
    network: orNull(
      Type.Object(
        {
          code: orNull(text('The network’s code.')),
          subcode: orNull(text('Its second code.')),
          request_id: orNull(text('Its id of the request.')),
        },
        { description: 'What the network said.' },
      ),
    ),
  },
  { title: 'DeploymentError', description: 'Why it does not go on.' },
)

const AvailableAction = Type.Object(
  {
    action: ActionName,
    allowed: Type.Boolean({ description: 'Whether the caller can take it now.' }),
    blocked_by: Type.Array(choice(['insufficient_role', 'not_bound', 'nothing_observed']), {
      description: 'Why not; empty if allowed.',
    }),
  },
  { title: 'AvailableDeploymentAction' },
)

export const Deployment = Type.Object(
  {
    id: idOf(deploymentIds, 'Deployment identifier.'),
    campaign_id: idOf(campaignIds, 'The campaign.'),
    profile_id: idOf(profileIds, 'The account that it runs in.'),
    platform: text('The platform of the account.'),
    mode: Mode,
    network_object_id: orNull(text('The campaign’s id in its network; null until it is known.')),
    network_url: orNull(text('Its page in the network.')),
    managed_fields: Type.Array(FieldName, { description: 'What the connector keeps.' }),
    drift_policy: DriftPolicy,
    settings: planFields.settings,
    state: StateName,
    state_since: time('Since when.'),
    generation: Type.Integer({ description: 'Rises with every change of `desired`.' }),
    applied_generation: Type.Integer({ description: 'The one that the network has.' }),
    desired: Plan,
    observed: orNull(Observed),
    drift: Type.Array(Drift, { description: 'What differs in the network.' }),
    coverage: Covered,
    network_delivery: orNull(NetworkDelivery),
    error: orNull(DeploymentError),
    attempts: Type.Integer({ description: 'Failed tries in a row.' }),
    retry_at: orNull(time('When it is tried again.')),
    last_applied_at: orNull(time('When the network last took a change.')),
    last_seen_at: orNull(time('When it was last seen in the network.')),
    stale: Type.Boolean({ description: 'No connector has held the account for ten minutes.' }),
    available_actions: Type.Array(AvailableAction, { description: 'What may be asked for.' }),
    ...stamps,
  },
  { title: 'Deployment', description: 'A campaign in its ad network.' },
)
export type Deployment = Type.Static<typeof Deployment>

export const DeploymentList = pageOfSchema(Deployment)

const StateFacts = Type.Object(
  {
    state: StateName,
    description: text('When it holds.'),
    actions: Type.Array(ActionName, { description: 'What may be asked for in it.' }),
    is_final: Type.Boolean({ description: 'Whether nothing follows.' }),
  },
  { title: 'DeploymentStateFacts' },
)
export const DeploymentStates = Type.Object(
  { data: rows(StateFacts, 'Every state, the one that holds first before the others.') },
  { title: 'DeploymentStateList' },
)
