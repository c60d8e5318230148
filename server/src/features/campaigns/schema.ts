import { Type } from 'typebox'
import {
  bodyOf,
  changesOf,
  choice,
  currencyCode,
  idOf,
  Labels,
  Metadata,
  MinorUnits,
  MoneyIn,
  MoneyOut,
  Name,
  Notes,
  orNull,
  pageOfSchema,
  referenceTo,
  stamps,
  Time,
  timeZoneName,
} from '../../kernel/shapes.ts'
import { actions, reasons, statuses } from './lifecycle.ts'
import { objectiveNames, objectives } from './objectives.ts'

const ProfileId = referenceTo(
  'profile',
  'The profile (advertiser account) that the campaign runs under.',
)

const Currency = currencyCode('ISO 4217 code. May be left out when the profile has a currency.')

const TimeZone = timeZoneName('IANA name. Standard: the profile’s.')

const ExternalId = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  description: 'Your own id, unique in the organization.',
})

/** What a client may write. */
export const campaignFields = {
  name: Name,
  objective: Type.String({
    minLength: 1,
    maxLength: 64,
    description: `The campaign’s goal. Also accepted, in any case, are the networks’ names; replies have ours: ${objectives.join(', ')}.`,
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
  external_id: orNull(ExternalId),
  labels: orNull(Labels),
  metadata: orNull(Metadata),
  notes: orNull(Notes),
  template_id: orNull(
    referenceTo('template', 'The template that fills what the request leaves out.'),
  ),
}

function orNullMoney() {
  return Type.Unsafe<Type.Static<typeof MoneyIn> | null>({ ...MoneyIn })
}

const reply = {
  id: idOf('campaign', 'Campaign identifier.'),
  name: Type.String(),
  objective: choice(objectives),
  profile_id: idOf('profile'),
  daily_budget: orNull(MoneyOut),
  currency: Type.String({ examples: ['USD'] }),
  status: choice(statuses, { description: 'Moves only by actions; see /docs.' }),
  status_reason: orNull(Type.String({ description: 'Why the service itself moved the status.' })),
  delivery: Type.Object({
    state: choice(['eligible', 'not_eligible']),
    reasons: Type.Array(choice(reasons)),
  }),
  available_actions: Type.Array(
    Type.Object({
      action: choice(actions),
      allowed: Type.Boolean(),
      blocked_by: Type.Array(choice(reasons)),
    }),
  ),
  daily_budget_minor: orNull(MinorUnits),
  lifetime_budget: orNull(MoneyOut),
  lifetime_budget_minor: orNull(MinorUnits),
  currency_exponent: Type.Integer({ description: 'Decimals of the currency’s minor unit.' }),
  start_at: orNull(Time),
  end_at: orNull(Time),
  time_zone: Type.String(),
  external_id: orNull(Type.String()),
  labels: Type.Array(Type.String()),
  metadata: Metadata,
  notes: orNull(Type.String()),
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

/** Fields of the reply that only the service writes. */
export const readOnlyFields = Object.keys(reply).filter((name) => !(name in campaignFields))

const { name, objective, profile_id, ...others } = campaignFields

export const CampaignBody = bodyOf(
  {
    // With a template these may come from its defaults, so the verb checks that they are there.
    name: Type.Optional(name),
    objective: Type.Optional(objective),
    profile_id: Type.Optional(profile_id),
    ...Type.Partial(Type.Object(others)).properties,
  },
  { title: 'CampaignInput', readOnlyFields },
)
export type CampaignInput = Type.Static<typeof CampaignBody>

export const CampaignChanges = Object.assign(changesOf(campaignFields, readOnlyFields), {
  title: 'CampaignChanges',
})
export type CampaignChanges = Type.Static<typeof CampaignChanges>

export const NoBody = bodyOf({})

export const CampaignStates = Type.Object(
  {
    statuses: Type.Array(
      Type.Object({
        status: choice(statuses),
        editable_fields: Type.Array(Type.String()),
        deletable: Type.Boolean(),
      }),
    ),
    transitions: Type.Array(
      Type.Object({
        action: choice(actions),
        summary: Type.String(),
        from: Type.Array(choice(statuses)),
        to: Type.Array(choice(statuses)),
        checked: Type.Boolean({ description: 'Whether what a campaign needs to run is checked.' }),
        events: Type.Array(Type.String()),
      }),
    ),
    reasons: Type.Array(choice(reasons)),
  },
  { title: 'CampaignStates' },
)
