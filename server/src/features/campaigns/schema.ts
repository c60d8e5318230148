import { Type } from 'typebox'
import {
  bodyOf,
  changesOf,
  choice,
  currencyCode,
  ExternalId,
  idOf,
  Labels,
  Metadata,
  minorUnits,
  moneyIn,
  moneyOut,
  Notes,
  nameLike,
  orNull,
  pageOfSchema,
  readOnlyOf,
  referenceTo,
  stamps,
  text,
  time,
  timeZoneName,
} from '../../schema/fields.ts'
import type { MoneyInput } from '../../values/money.ts'
import { StateName as DeploymentState, FieldName } from '../deployments/resource.ts'
import { profileIds } from '../profiles/resource.ts'
import { templateIds } from '../templates/resource.ts'
import { deliveryStates } from './lifecycle/delivery.ts'
import {
  ActionName,
  BlockReasonName,
  ObjectiveName,
  ReasonName,
  StatusName,
} from './lifecycle/names.ts'
import { objectiveNames, objectives } from './objectives.ts'
import { campaignIds } from './resource.ts'
import { days } from './schedule/dayparting.ts'
import { StatusChange } from './status/schema.ts'
import { Performance, TargetIn, TargetOut } from './target/schema.ts'

const ProfileId = {
  ...referenceTo(profileIds, 'The profile (advertiser account) the campaign runs under.'),
  title: 'CampaignProfileId',
}

const Currency = {
  ...currencyCode('ISO 4217 code. Optional if the profile has one, and then the same.'),
  title: 'CampaignCurrency',
}

const TimeZone = {
  ...timeZoneName('IANA name. Default: the profile’s.'),
  title: 'CampaignTimeZone',
}

const quarter = '([01][0-9]|2[0-3]):(00|15|30|45)'

const scheduleWindow = {
  day: choice(days, { description: 'Day of the week.' }),
  start: Type.String({
    description: '`HH:MM` from 00:00 to 23:45, in steps of 15 minutes.',
    examples: ['09:00'],
    stated: { pattern: `^${quarter}$` },
  }),
  end: Type.String({
    description: '`HH:MM` after `start`, up to 24:00, in steps of 15 minutes; exclusive.',
    examples: ['17:30'],
    stated: { pattern: `^(${quarter}|24:00)$` },
  }),
}

const schedule = {
  description:
    'Dayparting: when the campaign may deliver, on the wall clock of `time_zone`. Empty means always. Windows of a day may touch but not overlap; split hours that cross midnight into two windows. Sorted by day and start.',
  examples: [[{ day: 'mon', start: '09:00', end: '17:30' }]],
}

const ScheduleIn = Type.Array(bodyOf(scheduleWindow, { title: 'ScheduleWindowInput' }), {
  title: 'ScheduleInput',
  maxItems: 42,
  ...schedule,
})

const Schedule = Type.Array(Type.Object(scheduleWindow, { title: 'ScheduleWindow' }), {
  title: 'Schedule',
  ...schedule,
})

/** Fields that clients can write. */
export const campaignFields = {
  name: { ...nameLike('Spring Sale 2026'), title: 'CampaignName' },
  objective: Type.String({
    title: 'ObjectiveInput',
    minLength: 1,
    maxLength: 64,
    description: `The campaign’s goal. The ad networks’ names are also accepted, case-insensitively; responses use one of ${objectives.join(', ')}.`,
    examples: ['sales'],
    known: objectiveNames,
  }),
  profile_id: ProfileId,
  daily_budget: moneyOrNull('The most to spend in a day.'),
  lifetime_budget: moneyOrNull(
    'The most to spend in all, not below `daily_budget`. At least one of the two is needed.',
  ),
  currency: orNull(Currency),
  start_at: orNull(time('When it starts, in the future; null: when it is launched.')),
  end_at: orNull(time('When it ends: in the future, after `start_at`; null: never.')),
  time_zone: orNull(TimeZone),
  schedule: orNull(ScheduleIn),
  external_id: orNull(ExternalId),
  labels: orNull(Labels),
  metadata: orNull(Metadata),
  notes: orNull(Notes),
  target: orNull(TargetIn),
  template_id: orNull(referenceTo(templateIds, 'The template that supplies omitted fields.')),
}

function moneyOrNull(description: string) {
  return Type.Unsafe<MoneyInput | null>(moneyIn(description))
}

const who = (description: string) => orNull(text(`${description} Id of a user or API key.`))

const Review = Type.Object(
  {
    state: choice(['pending', 'approved', 'rejected', 'withdrawn'], {
      description: 'The outcome, or `pending`.',
    }),
    status_before: choice(['draft', 'paused'], {
      description: 'The status it returns to when rejected or withdrawn.',
    }),
    submitted_by: who('Who submitted it.'),
    submitted_at: time('When it was submitted.'),
    decided_by: who('Who approved, rejected or withdrew it; null while pending.'),
    decided_at: orNull(time('When that was; null while pending.')),
    reason: orNull(text('Why it was rejected.')),
  },
  { title: 'CampaignReview', description: 'The last submission and its outcome.' },
)

const Approved = Type.Object(
  {
    objective: ObjectiveName,
    profile_id: idOf(profileIds, 'The approved profile.'),
    currency: text('The approved currency, ISO 4217.'),
    daily_budget_minor: orNull(minorUnits('The largest daily budget.')),
    lifetime_budget_minor: orNull(minorUnits('The largest lifetime budget.')),
    start_at: orNull(time('The earliest start; null: at once.')),
    end_at: orNull(time('The latest end; null: none.')),
    time_zone: text('The approved time zone, an IANA name.'),
    schedule: Schedule,
    by: who('Who approved it.'),
    at: time('When it was approved.'),
  },
  {
    title: 'CampaignApproval',
    description:
      'The last approval. If the organization requires approval, the campaign must stay within it: no higher budget, no earlier start, no later end, no hours outside the schedule, and the same objective, profile, currency and time zone. A null budget or end is unbounded; a null start means immediately.',
  },
)

const reply = {
  id: idOf(campaignIds, 'Campaign identifier.'),
  name: text('Name of the campaign.'),
  objective: ObjectiveName,
  profile_id: idOf(profileIds, 'The profile it runs under.'),
  daily_budget: orNull(moneyOut('The most to spend in a day; null: no limit per day.')),
  currency: text('ISO 4217 code of its budgets.'),
  status: StatusName,
  status_reason: orNull(
    text('Why the service changed the status itself, such as `profile_not_active`.'),
  ),
  status_change: Type.Optional(orNull(StatusChange)),
  delivery: Type.Object(
    {
      state: choice(deliveryStates, {
        description: 'Whether it may deliver at this moment.',
      }),
      reasons: Type.Array(ReasonName, { description: 'Why it may not; empty if it may.' }),
    },
    { description: 'Whether it may deliver now, by its status, flight, schedule and profile.' },
  ),
  deployment: orNull(
    Type.Object(
      {
        state: DeploymentState,
        stale: Type.Boolean({ description: 'No connector has held its account for ten minutes.' }),
        network_object_id: orNull(text('Its id in the network.')),
        drift_fields: Type.Array(FieldName, { description: 'What differs in the network.' }),
      },
      {
        title: 'CampaignDeployment',
        description: 'Its deployment in short; GET /campaigns/{id}/deployment has all of it.',
      },
    ),
  ),
  available_actions: Type.Array(
    Type.Object({
      action: ActionName,
      allowed: Type.Boolean({ description: 'Whether the caller can take it now.' }),
      blocked_by: Type.Array(BlockReasonName, { description: 'Why not; empty if allowed.' }),
    }),
    {
      description:
        'The actions of the current status. `insufficient_role`: the caller’s role does not permit it; never in events or webhooks.',
    },
  ),
  daily_budget_minor: orNull(minorUnits('The daily budget.')),
  lifetime_budget: orNull(moneyOut('The most to spend in all; null: no such limit.')),
  lifetime_budget_minor: orNull(minorUnits('The lifetime budget.')),
  currency_exponent: Type.Integer({ description: 'Number of decimals of the currency.' }),
  start_at: orNull(time('When it starts; null: when it is launched.')),
  end_at: orNull(time('When it ends; null: never.')),
  time_zone: text('IANA name; the schedule is on its wall clock.'),
  schedule: Schedule,
  external_id: orNull(ExternalId),
  labels: Labels,
  metadata: Metadata,
  notes: orNull(Notes),
  target: orNull(TargetOut),
  performance: Type.Optional(orNull(Performance)),
  review: orNull(Review),
  approved: orNull(Approved),
  template_id: orNull(idOf(templateIds, 'The template it was created from.')),
  template_version: orNull(Type.Integer({ description: 'Version of the template at that time.' })),
  launched_at: orNull(time('When it was first launched.')),
  completed_at: orNull(time('When it was completed.')),
  archived_at: orNull(time('When it was archived.')),
  ...stamps,
}

export const Campaign = Type.Object(reply, {
  title: 'Campaign',
  description: 'What to advertise, for how much and when.',
})
export type Campaign = Type.Static<typeof Campaign>

export const CampaignList = pageOfSchema(Campaign)

/** Response fields that only the service writes. */
export const readOnlyFields = readOnlyOf(Campaign, campaignFields)

const { name, objective, profile_id, ...others } = campaignFields

export const CampaignBody = bodyOf(
  {
    // May come from the template's defaults, so the verb checks for presence.
    name: Type.Optional(name),
    objective: Type.Optional(objective),
    profile_id: Type.Optional(profile_id),
    ...Type.Partial(Type.Object(others)).properties,
  },
  {
    title: 'CampaignInput',
    description: 'A new campaign.',
    readOnlyFields,
    alternatives: [
      {
        title: 'DirectCampaignInput',
        description: 'A campaign of its own.',
        required: ['name', 'objective', 'profile_id'],
      },
      {
        title: 'TemplateCampaignInput',
        description: 'A campaign from a template, which can supply any field.',
        required: ['template_id'],
      },
    ],
  },
)
export type CampaignInput = Type.Static<typeof CampaignBody>

export const CampaignChanges = changesOf(campaignFields, readOnlyFields, 'CampaignChanges')
export type CampaignChanges = Type.Static<typeof CampaignChanges>

const { template_id: _, ...copiedFields } = campaignFields

/** A copy has no template, and its read-only fields are reset. */
export const DuplicateBody = bodyOf(Type.Partial(Type.Object(copiedFields)).properties, {
  title: 'DuplicateInput',
  readOnlyFields: [...readOnlyFields, 'template_id'],
})
export type DuplicateInput = Type.Static<typeof DuplicateBody>

const OpenWindow = Type.Object(
  { start: time('First moment of the window.'), end: time('End of the window, exclusive.') },
  { title: 'OpenWindow' },
)

export const CampaignWindows = Type.Object(
  {
    data: Type.Array(OpenWindow, {
      description: 'Sorted, half-open `[start, end)`; adjacent windows are merged.',
    }),
  },
  { title: 'CampaignWindows' },
)
