import { Type } from 'typebox'
import { Country } from '../../schema/countries.ts'
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
  Notes,
  oneLine,
  orNull,
  pageOfSchema,
  readOnlyOf,
  referenceTo,
  stamps,
  timeZoneName,
} from '../../schema/fields.ts'

export const platforms = [
  'google_ads',
  'meta',
  'tiktok',
  'linkedin',
  'amazon_ads',
  'microsoft_ads',
  'pinterest',
  'snapchat',
  'reddit',
  'x',
  'other',
] as const

export const profileStatuses = ['active', 'paused', 'suspended', 'archived'] as const

const Platform = choice(platforms, {
  description: 'The platform of the account. Cannot be changed.',
})

const Status = choice(profileStatuses, {
  description:
    'Campaigns run only while it is active; running campaigns pause when it stops being active.',
})

const AccountRef = Type.String({
  minLength: 1,
  maxLength: 128,
  trim: true,
  pattern: oneLine,
  description: 'The account’s id on its platform; unique per platform within the organization.',
  examples: ['123-456-7890'],
})

const Currency = currencyCode(
  'ISO 4217 code required of its campaigns. Immutable once a launched campaign uses it.',
)

const TimeZone = timeZoneName('IANA name. Default: UTC.')

const ProxyId = referenceTo('proxy', 'The proxy for its traffic.')

const CredentialRef = Type.String({
  minLength: 1,
  maxLength: 255,
  description:
    'Reference to the account’s credential in your own vault; never the credential itself.',
  examples: ['vault://ads/meta/4711'],
})

/** Fields that clients can write. */
const profileFields = {
  name: Name,
  platform: Platform,
  account_ref: orNull(AccountRef),
  currency: orNull(Currency),
  time_zone: orNull(TimeZone),
  country: orNull(Country),
  proxy_id: orNull(ProxyId),
  status: Status,
  credential_ref: orNull(CredentialRef),
  daily_budget_cap: orNullMoney(
    'Maximum total cost per day of its scheduled and active campaigns, in its currency; see `max_daily_budget` of the guardrails. Checked when campaigns launch, resume or raise their budget; lowering it does not affect running campaigns.',
  ),
  external_id: orNull(ExternalId),
  labels: orNull(Labels),
  metadata: orNull(Metadata),
  notes: orNull(Notes),
}

function orNullMoney(description: string) {
  return Type.Unsafe<Type.Static<typeof MoneyIn> | null>({ ...MoneyIn, description })
}

const Count = Type.Integer({ minimum: 0 })

export const CampaignCounts = Type.Object(
  {
    total: Count,
    draft: Count,
    pending_review: Count,
    scheduled: Count,
    active: Count,
    paused: Count,
    completed: Count,
    archived: Count,
  },
  { title: 'CampaignCounts', description: 'Number of its campaigns, by status and in total.' },
)
export type CampaignCounts = Type.Static<typeof CampaignCounts>

const reply = {
  id: idOf('profile', 'Profile identifier.'),
  name: Type.String(),
  platform: Platform,
  account_ref: orNull(Type.String()),
  currency: orNull(Type.String({ examples: ['USD'] })),
  time_zone: Type.String(),
  country: orNull(Type.String({ examples: ['DE'] })),
  proxy_id: orNull(idOf('proxy')),
  status: Status,
  credential_ref: orNull(Type.String()),
  daily_budget_cap: orNull(MoneyOut),
  daily_budget_cap_minor: orNull(MinorUnits),
  external_id: orNull(Type.String()),
  labels: Type.Array(Type.String()),
  metadata: Metadata,
  notes: orNull(Type.String()),
  campaign_counts: CampaignCounts,
  ...stamps,
}

export const Profile = Type.Object(reply, { title: 'Profile' })
export type Profile = Type.Static<typeof Profile>

export const ProfileList = pageOfSchema(Profile)

/** Response fields that only the service writes. */
export const readOnlyFields = readOnlyOf(Profile, profileFields)

const { name, ...others } = profileFields

export const ProfileBody = bodyOf(
  { name, ...Type.Partial(Type.Object(others)).properties },
  { title: 'ProfileInput', readOnlyFields },
)
export type ProfileInput = Type.Static<typeof ProfileBody>

export const ProfileChanges = changesOf(profileFields, readOnlyFields, 'ProfileChanges')
export type ProfileChanges = Type.Static<typeof ProfileChanges>
