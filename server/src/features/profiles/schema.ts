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
  minorUnits,
  moneyIn,
  moneyOut,
  Notes,
  nameLike,
  oneLine,
  orNull,
  pageOfSchema,
  readOnlyOf,
  referenceTo,
  stamps,
  text,
  timeZoneName,
} from '../../schema/fields.ts'
import type { MoneyInput } from '../../values/money.ts'
import { clientIds } from '../clients/resource.ts'
import { proxyIds } from '../proxies/resource.ts'
import { profileIds } from './resource.ts'

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
  'sim',
  'other',
] as const
export type PlatformName = (typeof platforms)[number]

/** The platforms as they spell their names. */
export const platformNames: Readonly<Record<PlatformName, string>> = {
  google_ads: 'Google Ads',
  meta: 'Meta',
  tiktok: 'TikTok',
  linkedin: 'LinkedIn',
  amazon_ads: 'Amazon Ads',
  microsoft_ads: 'Microsoft Ads',
  pinterest: 'Pinterest',
  snapchat: 'Snapchat',
  reddit: 'Reddit',
  x: 'X',
  sim: 'Simulated network',
  other: 'Other',
}

export const profileStatuses = ['active', 'paused', 'suspended', 'archived'] as const

export const Platform = choice(platforms, {
  title: 'Platform',
  description:
    'The platform of the account, by default `other`. Cannot be changed. `sim`, the simulated network, only in sandboxes and where the operator admits it.',
})

const Status = choice(profileStatuses, {
  title: 'ProfileStatus',
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

const ProxyId = referenceTo(proxyIds, 'The proxy for its traffic.')

const CredentialRef = Type.String({
  minLength: 1,
  maxLength: 255,
  description:
    'Reference to the account’s credential in your own vault; never the credential itself.',
  examples: ['vault://ads/meta/4711'],
})

const Client = Type.String({
  minLength: 1,
  maxLength: 255,
  trim: true,
  pattern: oneLine,
  description:
    'Name of the client whose account it is. A name that no client has makes one. Where `client_id` changes too, it must be that client’s.',
  examples: ['Northwind Traders'],
})

const ClientId = referenceTo(clientIds, 'The client whose account it is; not an archived one.')

/** Fields that clients can write. */
const profileFields = {
  name: nameLike('Acme on Meta'),
  client_id: orNull(ClientId),
  client: orNull(Client),
  platform: Platform,
  account_ref: orNull(AccountRef),
  currency: orNull(Currency),
  time_zone: orNull(TimeZone),
  country: orNull(Country),
  proxy_id: orNull(ProxyId),
  status: Status,
  credential_ref: orNull(CredentialRef),
  daily_budget_cap: moneyOrNull(
    'Maximum total cost per day of its scheduled and active campaigns, in its currency; see `max_daily_budget` of the guardrails. Checked when campaigns launch, resume or raise their budget; lowering it does not affect running campaigns.',
  ),
  monthly_spend_cap: moneyOrNull(
    'Pauses its campaigns once this much is spent in a month of its time zone; see `stop_at_percent` of the guardrails.',
  ),
  external_id: orNull(ExternalId),
  labels: orNull(Labels),
  metadata: orNull(Metadata),
  notes: orNull(Notes),
}

function moneyOrNull(description: string) {
  return Type.Unsafe<MoneyInput | null>(moneyIn(description))
}

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const CampaignCounts = Type.Object(
  {
    total: count('In all.'),
    draft: count('Not launched yet.'),
    pending_review: count('Waiting for approval.'),
    scheduled: count('Waiting for their start.'),
    active: count('Running.'),
    paused: count('Paused.'),
    completed: count('Completed.'),
    archived: count('Archived.'),
  },
  { title: 'CampaignCounts', description: 'Number of its campaigns, by status and in total.' },
)
export type CampaignCounts = Type.Static<typeof CampaignCounts>

const reply = {
  id: idOf(profileIds, 'Profile identifier.'),
  name: text('Name of the profile.'),
  client_id: orNull(idOf(clientIds, 'The client whose account it is.')),
  client: orNull(text('Name of that client.')),
  platform: Platform,
  account_ref: orNull(text('The account’s id on its platform.')),
  currency: orNull(text('ISO 4217 code required of its campaigns; null: they choose.')),
  time_zone: text('IANA name; the default of its campaigns.'),
  country: orNull(text('ISO 3166-1 alpha-2 code.')),
  proxy_id: orNull(idOf(proxyIds, 'The proxy for its traffic.')),
  status: Status,
  credential_ref: orNull(text('Where your own vault has the account’s credential.')),
  daily_budget_cap: orNull(moneyOut('The most that its running campaigns may cost in a day.')),
  daily_budget_cap_minor: orNull(minorUnits('The same cap.')),
  monthly_spend_cap: orNull(moneyOut('What its campaigns may spend in a month.')),
  monthly_spend_cap_minor: orNull(minorUnits('The same cap.')),
  external_id: orNull(ExternalId),
  labels: Labels,
  metadata: Metadata,
  notes: orNull(Notes),
  campaign_counts: CampaignCounts,
  ...stamps,
}

export const Profile = Type.Object(reply, {
  title: 'Profile',
  description: 'An advertiser account that campaigns run under.',
})
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
