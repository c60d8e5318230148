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
  description: 'Where the account is. Fixed once the profile exists.',
})

const Status = choice(profileStatuses, {
  description:
    'Campaigns run only while it is active; those that run pause when it stops being so.',
})

const AccountRef = Type.String({
  minLength: 1,
  maxLength: 128,
  trim: true,
  pattern: oneLine,
  description: 'The account’s id on its platform, unique there within the organization.',
  examples: ['123-456-7890'],
})

const Currency = currencyCode(
  'ISO 4217 code that its campaigns must have. Fixed once a launched campaign uses it.',
)

const TimeZone = timeZoneName('IANA name. Standard: UTC.')

const ProxyId = referenceTo('proxy', 'The proxy that its traffic goes through.')

const CredentialRef = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Where your own vault keeps the account’s credential; never the credential itself.',
  examples: ['vault://ads/meta/4711'],
})

/** What a client may write. */
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
    'The most that its scheduled and active campaigns may cost in a day, in sum, in its currency; see `max_daily_budget` of the guardrails. In effect when campaigns launch, resume or get more: lowered, it takes nothing away.',
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
  { title: 'CampaignCounts', description: 'Its campaigns by status, and all of them.' },
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

/** Fields of the reply that only the service writes. */
export const readOnlyFields = readOnlyOf(Profile, profileFields)

const { name, ...others } = profileFields

export const ProfileBody = bodyOf(
  { name, ...Type.Partial(Type.Object(others)).properties },
  { title: 'ProfileInput', readOnlyFields },
)
export type ProfileInput = Type.Static<typeof ProfileBody>

export const ProfileChanges = changesOf(profileFields, readOnlyFields, 'ProfileChanges')
export type ProfileChanges = Type.Static<typeof ProfileChanges>
