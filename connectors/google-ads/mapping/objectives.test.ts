import { describe, expect, test } from 'vitest'
import { desired } from '../test/desired.ts'
import { flightDays, hasTimeOfDay, objectiveOf } from './objectives.ts'
import { creationOf } from './settings.ts'

type Objective = typeof desired.objective

const objectives: [Objective, string, string][] = [
  ['traffic', 'SEARCH', 'targetSpend'],
  ['leads', 'SEARCH', 'maximizeConversions'],
  ['conversions', 'SEARCH', 'maximizeConversions'],
  ['sales', 'SEARCH', 'maximizeConversionValue'],
  ['awareness', 'DISPLAY', 'manualCpm'],
  ['reach', 'DISPLAY', 'manualCpm'],
]

test.each(objectives)('%s is a %s campaign with %s', (objective, channel, bidding) => {
  expect(creationOf({ ...desired, objective })).toMatchObject({
    channel,
    members: {
      advertisingChannelType: channel,
      [bidding]: {},
      containsEuPoliticalAdvertising: 'DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING',
    },
  })
})

const without: Objective[] = ['engagement', 'video_views', 'app_promotion']

test.each(without)('%s has no standard: settings must say', (objective) => {
  expect(creationOf({ ...desired, objective })).toMatchObject({
    code: 'setting',
    faults: [{ pointer: '/settings/advertising_channel_type' }, { pointer: '/settings/bidding' }],
  })
  const settings = {
    ...desired.settings,
    ...{ advertising_channel_type: 'DEMAND_GEN', bidding: 'maximize_conversions' },
  }
  expect(creationOf({ objective, settings })).toMatchObject({
    members: { advertisingChannelType: 'DEMAND_GEN', maximizeConversions: {} },
  })
})

describe('settings', () => {
  const of = (settings: object) =>
    creationOf({ ...desired, settings: { ...desired.settings, ...settings } })

  test('must have the declaration on EU political advertising, in one of two words', () => {
    for (const declared of [undefined, '', 'NO', true])
      expect(of({ contains_eu_political_advertising: declared })).toMatchObject({
        code: 'declaration',
        faults: [{ pointer: '/settings/contains_eu_political_advertising' }],
      })
    const yes = 'CONTAINS_EU_POLITICAL_ADVERTISING'
    expect(of({ contains_eu_political_advertising: yes })).toMatchObject({
      members: { containsEuPoliticalAdvertising: yes },
    })
  })

  test('choose type and bidding over the standard', () => {
    const pmax = { advertising_channel_type: 'PERFORMANCE_MAX' }
    expect(of(pmax)).toMatchObject({
      members: { advertisingChannelType: 'PERFORMANCE_MAX', maximizeConversionValue: {} },
    })
    expect(of({ bidding: 'manual_cpc' })).toMatchObject({ members: { manualCpc: {} } })
  })

  test.each([
    ['manual_cpc', 'manualCpc'],
    ['manual_cpm', 'manualCpm'],
    ['manual_cpv', 'manualCpv'],
    ['maximize_conversions', 'maximizeConversions'],
    ['maximize_conversion_value', 'maximizeConversionValue'],
    ['target_spend', 'targetSpend'],
  ])('name the bidding %s', (bidding, member) => {
    expect(of({ bidding })).toMatchObject({ members: { [member]: {} } })
  })

  test.each([
    ...['SEARCH', 'DISPLAY', 'SHOPPING', 'PERFORMANCE_MAX'],
    ...['DEMAND_GEN', 'VIDEO', 'MULTI_CHANNEL'],
  ])('name the type %s', (type) => {
    const needed = {
      app: { app_id: 'com.example', store: 'apple' },
      merchant: { merchant_id: '1' },
    }
    expect(of({ advertising_channel_type: type, ...needed })).toMatchObject({
      members: { advertisingChannelType: type },
    })
  })

  test('may say that Flightdeck keeps the lifetime budget', () => {
    expect(of({ lifetime: 'pause_at_spend' })).not.toHaveProperty('faults')
  })

  test('say the networks; without, a type has its own and no other', () => {
    expect(of({})).toMatchObject({
      members: {
        networkSettings: {
          ...{ targetGoogleSearch: true, targetSearchNetwork: false },
          ...{ targetContentNetwork: false, targetPartnerSearchNetwork: false },
        },
      },
    })
    const all = {
      ...{ target_google_search: true, target_search_network: false },
      ...{ target_content_network: true, target_partner_search_network: false },
    }
    expect(of({ network_settings: all })).toHaveProperty('members.networkSettings', {
      ...{ targetGoogleSearch: true, targetSearchNetwork: false },
      ...{ targetContentNetwork: true, targetPartnerSearchNetwork: false },
    })
    const display = creationOf({ ...desired, objective: 'reach' })
    expect(display).toMatchObject({
      members: {
        networkSettings: {
          ...{ targetGoogleSearch: false, targetSearchNetwork: false },
          ...{ targetContentNetwork: true, targetPartnerSearchNetwork: false },
        },
      },
    })
  })

  test('give app campaigns their app, and shopping campaigns their merchant', () => {
    const app = { app_id: 'com.example', store: 'google' }
    const type = { advertising_channel_type: 'MULTI_CHANNEL', bidding: 'maximize_conversions' }
    expect(of({ ...type, app })).toMatchObject({
      members: {
        advertisingChannelSubType: 'APP_CAMPAIGN',
        appCampaignSetting: {
          ...{ appId: 'com.example', appStore: 'GOOGLE_APP_STORE' },
          biddingStrategyGoalType: 'OPTIMIZE_INSTALLS_TARGET_INSTALL_COST',
        },
      },
    })
    expect(of({ ...type, app: { ...app, store: 'apple' } })).toMatchObject({
      members: { appCampaignSetting: { appStore: 'APPLE_APP_STORE' } },
    })
    for (const part of [
      undefined,
      { app_id: 'com.example' },
      { store: 'apple' },
      { ...app, store: 'x' },
    ])
      expect(of({ ...type, app: part })).toMatchObject({ faults: [{ pointer: '/settings/app' }] })
    const shopping = { advertising_channel_type: 'SHOPPING' }
    expect(of({ ...shopping, merchant: { merchant_id: '123' } })).toMatchObject({
      members: { shoppingSetting: { merchantId: '123' } },
    })
    expect(of({ ...shopping, merchant: { merchant_id: '123', feed_label: 'US' } })).toHaveProperty(
      'members.shoppingSetting',
      { merchantId: '123', feedLabel: 'US' },
    )
    expect(of(shopping)).toMatchObject({ faults: [{ pointer: '/settings/merchant' }] })
  })

  test.each([
    [{ bidding: 'free' }, '/settings/bidding'],
    [{ advertising_channel_type: 'MULTI_CHANNEL', bidding: 'free' }, '/settings/bidding'],
    [{ advertising_channel_type: 'HOTEL' }, '/settings/advertising_channel_type'],
    [{ network_settings: { moon: true } }, '/settings/network_settings/moon'],
    [{ network_settings: 'all' }, '/settings/network_settings'],
    [{ merchant: { merchant_id: 7 } }, '/settings/merchant'],
    [{ merchant: { merchant_id: '7', feed_label: 7 } }, '/settings/merchant'],
    [{ typo: 1 }, '/settings/typo'],
  ])('%o is refused at %s', (settings, pointer) => {
    const message = expect.stringMatching(/^(?:It must be|Google Ads has no such setting)/)
    expect(of(settings)).toMatchObject({ code: 'setting', faults: [{ pointer, message }] })
  })
})

test.each([
  [{}, 'no standard campaign type', 'no standard bidding'],
  [{ advertising_channel_type: 'SEARCH' }, 'no standard bidding'],
  [{ bidding: 'manual_cpc' }, 'no standard campaign type'],
  [
    { advertising_channel_type: 'X', bidding: 'y' },
    'must be one of SEARCH, ',
    'one of manual_cpc, ',
  ],
] as const)('of an objective without a standard %o lacks: %s', (given, ...messages) => {
  const settings = { ...desired.settings, ...given }
  expect(creationOf({ objective: 'engagement', settings })).toMatchObject({
    faults: messages.map((message) => ({ message: expect.stringContaining(String(message)) })),
  })
  const typo = { ...desired.settings, bidding: 'y' }
  expect(creationOf({ objective: 'sales', settings: typo })).toMatchObject({
    faults: [{ message: expect.stringContaining('It must be one of') }],
  })
})

test.each([
  ['SEARCH', 'TARGET_SPEND', 'traffic'],
  ['SEARCH', 'MANUAL_CPC', 'traffic'],
  ['SEARCH', 'MAXIMIZE_CONVERSIONS', 'conversions'],
  ['SEARCH', 'TARGET_CPA', 'conversions'],
  ['SEARCH', 'MAXIMIZE_CONVERSION_VALUE', 'sales'],
  ['PERFORMANCE_MAX', 'TARGET_ROAS', 'sales'],
  ['DISPLAY', 'MANUAL_CPM', 'awareness'],
  ['DISPLAY', 'TARGET_SPEND', 'traffic'],
  ['SEARCH', 'MANUAL_CPM', undefined],
  ['VIDEO', 'TARGET_CPV', 'video_views'],
  ['MULTI_CHANNEL', 'TARGET_CPA', 'app_promotion'],
  ['SHOPPING', 'MANUAL_CPC', 'sales'],
  ['HOTEL', 'PERCENT_CPC', undefined],
])('a %s campaign with %s is seen as %s', (channel, bidding, objective) => {
  expect(objectiveOf(channel, bidding)).toBe(objective)
})

test('only some types have a time of day, and only some a lifetime budget', () => {
  expect(['VIDEO', 'DEMAND_GEN', 'SEARCH', 'DISPLAY'].map(hasTimeOfDay)).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(flightDays).toEqual({
    ...{ SEARCH: [3, 90], SHOPPING: [3, 90], PERFORMANCE_MAX: [3, 90] },
    ...{ DEMAND_GEN: [7, 366], DISPLAY: null },
  })
})
