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
  MinorUnits,
  MoneyIn,
  MoneyOut,
  Name,
  NoBody,
  Notes,
  oneLine,
  orNull,
  pageOfSchema,
  readOnlyOf,
  referenceTo,
  stamps,
  Time,
  timeZoneName,
} from '../../schema/fields.ts'
import { days } from './dayparting.ts'
import {
  type Action,
  actions,
  blockReasons,
  reasons,
  statuses,
  transitions,
} from './lifecycle/transitions.ts'
import { objectiveNames, objectives } from './objectives.ts'

const ProfileId = referenceTo(
  'profile',
  'The profile (advertiser account) the campaign runs under.',
)

const Currency = currencyCode('ISO 4217 code. Optional if the profile has a currency.')

const TimeZone = timeZoneName('IANA name. Default: the profile’s.')

const scheduleWindow = {
  day: choice(days),
  start: wallTime('`HH:MM` from 00:00 to 23:45, in steps of 15 minutes.', '09:00'),
  end: wallTime('`HH:MM` after `start`, up to 24:00, in steps of 15 minutes; exclusive.', '17:30'),
}

const schedule = {
  description:
    'Dayparting: when the campaign may deliver, on the wall clock of `time_zone`. Empty means always. Windows of a day may touch but not overlap; split hours that cross midnight into two windows. Sorted by day and start.',
  examples: [[{ day: 'mon', start: '09:00', end: '17:30' }]],
}

const ScheduleIn = Type.Array(bodyOf(scheduleWindow, { title: 'ScheduleWindowInput' }), {
  maxItems: 42,
  ...schedule,
})

const Schedule = Type.Array(Type.Object(scheduleWindow, { title: 'ScheduleWindow' }), schedule)

function wallTime(description: string, example: string) {
  return Type.String({ description, examples: [example] })
}

/** Fields that clients can write. */
export const campaignFields = {
  name: Name,
  objective: Type.String({
    minLength: 1,
    maxLength: 64,
    description: `The campaign’s goal. The ad networks’ names are also accepted, case-insensitively; responses use one of ${objectives.join(', ')}.`,
    examples: ['sales'],
    'x-accepted': objectiveNames,
  }),
  profile_id: ProfileId,
  daily_budget: orNullMoney(),
  lifetime_budget: orNullMoney(),
  currency: orNull(Currency),
  start_at: orNull(Time),
  end_at: orNull(Time),
  time_zone: orNull(TimeZone),
  schedule: orNull(ScheduleIn),
  external_id: orNull(ExternalId),
  labels: orNull(Labels),
  metadata: orNull(Metadata),
  notes: orNull(Notes),
  template_id: orNull(referenceTo('template', 'The template that supplies omitted fields.')),
}

function orNullMoney() {
  return Type.Unsafe<Type.Static<typeof MoneyIn> | null>({ ...MoneyIn })
}

const Who = orNull(Type.String({ description: 'Id of the user or API key.' }))

const Review = Type.Object(
  {
    state: choice(['pending', 'approved', 'rejected', 'withdrawn']),
    status_before: choice(['draft', 'paused'], {
      description: 'The status it returns to when rejected or withdrawn.',
    }),
    submitted_by: Who,
    submitted_at: Time,
    decided_by: Who,
    decided_at: orNull(Time),
    reason: orNull(Type.String({ description: 'Why it was rejected.' })),
  },
  { title: 'CampaignReview', description: 'The last submission and its outcome.' },
)

const Approved = Type.Object(
  {
    objective: choice(objectives),
    profile_id: idOf('profile'),
    currency: Type.String({ examples: ['USD'] }),
    daily_budget_minor: orNull(MinorUnits),
    lifetime_budget_minor: orNull(MinorUnits),
    start_at: orNull(Time),
    end_at: orNull(Time),
    time_zone: Type.String(),
    schedule: Schedule,
    by: Who,
    at: Time,
  },
  {
    title: 'CampaignApproval',
    description:
      'The last approval. If the organization requires approval, the campaign must stay within it: no higher budget, no earlier start, no later end, no hours outside the schedule, and the same objective, profile, currency and time zone. A null budget or end is unbounded; a null start means immediately.',
  },
)

const reply = {
  id: idOf('campaign', 'Campaign identifier.'),
  name: Type.String(),
  objective: choice(objectives),
  profile_id: idOf('profile'),
  daily_budget: orNull(MoneyOut),
  currency: Type.String({ examples: ['USD'] }),
  status: choice(statuses, { description: 'Changed by actions only; see /docs.' }),
  status_reason: orNull(Type.String({ description: 'Why the service changed the status itself.' })),
  delivery: Type.Object({
    state: choice(['eligible', 'not_eligible']),
    reasons: Type.Array(choice(reasons)),
  }),
  available_actions: Type.Array(
    Type.Object({
      action: choice(actions),
      allowed: Type.Boolean(),
      blocked_by: Type.Array(choice(blockReasons)),
    }),
    {
      description:
        'The actions of the current status. `insufficient_role`: the caller’s role does not permit it; never in events or webhooks.',
    },
  ),
  daily_budget_minor: orNull(MinorUnits),
  lifetime_budget: orNull(MoneyOut),
  lifetime_budget_minor: orNull(MinorUnits),
  currency_exponent: Type.Integer({ description: 'Number of decimals of the currency.' }),
  start_at: orNull(Time),
  end_at: orNull(Time),
  time_zone: Type.String(),
  schedule: Schedule,
  external_id: orNull(Type.String()),
  labels: Type.Array(Type.String()),
  metadata: Metadata,
  notes: orNull(Type.String()),
  review: orNull(Review),
  approved: orNull(Approved),
  template_id: orNull(idOf('template')),
  template_version: orNull(Type.Integer()),
  launched_at: orNull(Time),
  completed_at: orNull(Time),
  archived_at: orNull(Time),
  ...stamps,
}

export const Campaign = Type.Object(reply, { title: 'Campaign' })
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
  { title: 'CampaignInput', readOnlyFields },
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

export const CampaignWindows = Type.Object(
  {
    data: Type.Array(Type.Object({ start: Time, end: Time }, { title: 'OpenWindow' }), {
      description: 'Sorted, half-open `[start, end)`; adjacent windows are merged.',
    }),
  },
  { title: 'CampaignWindows' },
)

export const ReasonBody = bodyOf(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      trim: true,
      pattern: oneLine,
      description: 'Why; also kept in the audit log.',
      examples: ['The budget belongs to next month'],
    }),
  },
  { title: 'RejectInput' },
)

/** The body schema of an action. */
export const bodyOfAction = (action: Action) =>
  transitions.some((each) => each.action === action && each.takesReason) ? ReasonBody : NoBody
