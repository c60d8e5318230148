import type { FieldFault, Plan } from '../../kit/src/connect.ts'
import { biddings, channels, type Kind, kindOf } from './objectives.ts'

/** `settings` of a deployment: what only Google Ads knows of a campaign, needed when it is made. */

/** Members of a campaign that are given once, when it is made. */
export type Creation = {
  channel: string
  members: Readonly<Record<string, unknown>>
}

export type SettingFaults = { code: 'setting' | 'declaration'; faults: FieldFault[] }

const declarations = [
  'CONTAINS_EU_POLITICAL_ADVERTISING',
  'DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING',
] as const

const networkNames = {
  target_google_search: 'targetGoogleSearch',
  target_search_network: 'targetSearchNetwork',
  target_content_network: 'targetContentNetwork',
  target_partner_search_network: 'targetPartnerSearchNetwork',
} as const

/** Without a word of the user a campaign is shown on the network that its type is for, and no other. */
const standardNetworks: Readonly<Record<string, object>> = {
  SEARCH: {
    targetGoogleSearch: true,
    targetSearchNetwork: false,
    targetContentNetwork: false,
    targetPartnerSearchNetwork: false,
  },
  DISPLAY: {
    targetGoogleSearch: false,
    targetSearchNetwork: false,
    targetContentNetwork: true,
    targetPartnerSearchNetwork: false,
  },
}

type Given = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const known = [
  'contains_eu_political_advertising',
  'advertising_channel_type',
  'bidding',
  'network_settings',
  'app',
  'merchant',
  'lifetime',
]

type AddFault = (name: string, message: string) => void

/** The members that a new campaign needs beside the plan, or what is missing for it. */
export function creationOf(plan: Pick<Plan, 'objective' | 'settings'>): Creation | SettingFaults {
  const { settings } = plan
  const faults: FieldFault[] = []
  const addFault: AddFault = (name, message) =>
    void faults.push({ pointer: `/settings/${name}`, message })
  for (const name of Object.keys(settings))
    if (!known.includes(name)) addFault(name.slice(0, 80), 'Google Ads has no such setting here.')
  const kind = kindIn(plan, addFault)
  const networkSettings = networksIn(settings.network_settings, kind, addFault)
  const members = {
    advertisingChannelType: kind?.channel,
    ...(kind && { [kind.bidding]: {} }),
    ...(networkSettings && { networkSettings }),
    ...appIn(settings.app, kind, addFault),
    ...merchantIn(settings.merchant, kind, addFault),
  }
  if (faults.length > 0 || !kind) return { code: 'setting', faults }
  const declared = settings.contains_eu_political_advertising
  const declaration = declarations.find((each) => each === declared)
  if (declaration === undefined) return { code: 'declaration', faults: [undeclared] }
  return {
    channel: kind.channel,
    members: { ...members, containsEuPoliticalAdvertising: declaration },
  }
}

/** A legal statement: it has no standard. */
const undeclared: FieldFault = {
  pointer: '/settings/contains_eu_political_advertising',
  message: `Whether it contains political advertising for the European Union must be stated: ${declarations.join(' or ')}.`,
}

function kindIn(plan: Pick<Plan, 'objective' | 'settings'>, addFault: AddFault): Kind | null {
  const { advertising_channel_type: type, bidding } = plan.settings
  const standard = kindOf(plan)
  const channel = type === undefined ? standard?.channel : channels.find((each) => each === type)
  const own = biddings.find((each) => snake(each) === bidding)
  const chosen = bidding === undefined ? standard?.bidding : own
  const isMissing = standard === null && (type === undefined || bidding === undefined)
  if (channel === undefined)
    addFault(
      'advertising_channel_type',
      isMissing
        ? `The objective ${plan.objective} has no standard campaign type: say which.`
        : `It must be one of ${channels.join(', ')}.`,
    )
  if (chosen === undefined)
    addFault(
      'bidding',
      isMissing
        ? `The objective ${plan.objective} has no standard bidding: say which.`
        : `It must be one of ${biddings.map(snake).join(', ')}.`,
    )
  return channel !== undefined && chosen !== undefined ? { channel, bidding: chosen } : null
}

const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function networksIn(given: unknown, kind: Kind | null, addFault: AddFault): object | undefined {
  if (given === undefined) return standardNetworks[kind?.channel ?? '']
  if (!isObject(given)) {
    addFault('network_settings', 'It must be an object.')
    return undefined
  }
  const entries = Object.entries(given).map(([name, value]) => {
    const own = Object.entries(networkNames).find(([each]) => each === name)?.[1]
    if (own === undefined || typeof value !== 'boolean')
      addFault(
        `network_settings/${name.slice(0, 80)}`,
        `It must be true or false, of ${Object.keys(networkNames).join(', ')}.`,
      )
    return [own, value] as const
  })
  return Object.fromEntries(entries)
}

function appIn(given: unknown, kind: Kind | null, addFault: AddFault): object {
  if (kind?.channel !== 'MULTI_CHANNEL') return {}
  const stores = { apple: 'APPLE_APP_STORE', google: 'GOOGLE_APP_STORE' } as const
  const { app_id, store } = isObject(given) ? given : {}
  const appStore = Object.entries(stores).find(([each]) => each === store)?.[1]
  if (typeof app_id !== 'string' || appStore === undefined)
    addFault('app', 'An app campaign needs {app_id, store: apple or google}.')
  return {
    advertisingChannelSubType: 'APP_CAMPAIGN',
    appCampaignSetting: {
      ...{ appId: app_id, appStore },
      biddingStrategyGoalType: 'OPTIMIZE_INSTALLS_TARGET_INSTALL_COST',
    },
  }
}

function merchantIn(given: unknown, kind: Kind | null, addFault: AddFault): object {
  const { merchant_id, feed_label } = isObject(given) ? given : {}
  const isId = typeof merchant_id === 'string' && /^\d{1,19}$/.test(merchant_id)
  if (given === undefined && kind?.channel !== 'SHOPPING') return {}
  if (!isId || (feed_label !== undefined && typeof feed_label !== 'string')) {
    addFault('merchant', 'It must be {merchant_id: digits as a text, feed_label?}.')
    return {}
  }
  const feedLabel = feed_label === undefined ? {} : { feedLabel: feed_label }
  return { shoppingSetting: { merchantId: merchant_id, ...feedLabel } }
}
