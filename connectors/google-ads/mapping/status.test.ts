import { expect, test } from 'vitest'
import { isEnum, protos } from '../fake/protos.ts'
import { reasonWords } from './reasons.ts'
import { deliveryOf, networkStatusOf, runOf, type StatusFacts, statusOf } from './status.ts'

const enumOf = (name: string): string[] => {
  const found = protos().lookup(`google.ads.googleads.v25.enums.${name}`)
  if (!isEnum(found)) throw new Error(`${name} is no enum`)
  return Object.keys(found.values).filter((word) => word !== 'UNSPECIFIED' && word !== 'UNKNOWN')
}

const facts: StatusFacts = {
  ...{ status: 'ENABLED', primaryStatus: 'ELIGIBLE', primaryStatusReasons: [] },
  ...{ startsAt: null, endsAt: null },
}

test('each of the 42 reasons has plain words, and no other', () => {
  const reasons = enumOf('CampaignPrimaryStatusReasonEnum.CampaignPrimaryStatusReason')
  expect(Object.keys(reasonWords).toSorted()).toEqual(reasons.toSorted())
  expect(reasons).toHaveLength(42)
  for (const words of Object.values(reasonWords)) expect(words).toMatch(/^[A-Z][^_]+\.$/)
  expect(new Set(Object.values(reasonWords)).size).toBe(42)
})

test.each([
  ['CAMPAIGN_REMOVED', 'The campaign is removed.'],
  ['CAMPAIGN_PAUSED', 'The campaign is paused.'],
  ['CAMPAIGN_PENDING', 'The campaign has not started yet.'],
  ['CAMPAIGN_ENDED', 'The campaign has ended.'],
  ['CAMPAIGN_DRAFT', 'The campaign is a draft.'],
  ['BIDDING_STRATEGY_MISCONFIGURED', 'The bidding strategy is set up wrongly.'],
  ['BIDDING_STRATEGY_LIMITED', 'The bidding strategy limits delivery.'],
  ['BIDDING_STRATEGY_LEARNING', 'The bidding strategy is learning.'],
  ['BIDDING_STRATEGY_CONSTRAINED', 'The bidding strategy lacks conversions or is constrained.'],
  ['BUDGET_CONSTRAINED', 'The budget limits delivery.'],
  ['BUDGET_MISCONFIGURED', 'The budget is set up wrongly.'],
  ['SEARCH_VOLUME_LIMITED', 'The keywords have a low search volume.'],
  ['AD_GROUPS_PAUSED', 'All ad groups are paused.'],
  ['NO_AD_GROUPS', 'The campaign has no ad groups.'],
  ['KEYWORDS_PAUSED', 'All keywords are paused.'],
  ['NO_KEYWORDS', 'The campaign has no keywords.'],
  ['AD_GROUP_ADS_PAUSED', 'All ads are paused.'],
  ['NO_AD_GROUP_ADS', 'The campaign has no ads.'],
  ['HAS_ADS_LIMITED_BY_POLICY', 'Ads are limited by policy.'],
  ['HAS_ADS_DISAPPROVED', 'Ads are disapproved.'],
  ['MOST_ADS_UNDER_REVIEW', 'Most ads are under review.'],
  ['MISSING_LEAD_FORM_EXTENSION', 'The lead form is missing.'],
  ['MISSING_CALL_EXTENSION', 'The call asset is missing.'],
  ['LEAD_FORM_EXTENSION_UNDER_REVIEW', 'The lead form is under review.'],
  ['LEAD_FORM_EXTENSION_DISAPPROVED', 'The lead form is disapproved.'],
  ['CALL_EXTENSION_UNDER_REVIEW', 'The call asset is under review.'],
  ['CALL_EXTENSION_DISAPPROVED', 'The call asset is disapproved.'],
  ['NO_MOBILE_APPLICATION_AD_GROUP_CRITERIA', 'No ad group targets a mobile app.'],
  ['CAMPAIGN_GROUP_PAUSED', 'The campaign group is paused.'],
  ['CAMPAIGN_GROUP_ALL_GROUP_BUDGETS_ENDED', 'All budgets of the campaign group have ended.'],
  ['APP_NOT_RELEASED', 'The app is not released.'],
  ['APP_PARTIALLY_RELEASED', 'The app is released in some countries only.'],
  ['HAS_ASSET_GROUPS_DISAPPROVED', 'Asset groups are disapproved.'],
  ['HAS_ASSET_GROUPS_LIMITED_BY_POLICY', 'Asset groups are limited by policy.'],
  ['MOST_ASSET_GROUPS_UNDER_REVIEW', 'Most asset groups are under review.'],
  ['NO_ASSET_GROUPS', 'The campaign has no asset groups.'],
  ['ASSET_GROUPS_PAUSED', 'All asset groups are paused.'],
  ['MISSING_LOCATION_TARGETING', 'Location targeting is missing.'],
  ['CAMPAIGN_NOT_BOOKED', 'The campaign is not booked.'],
  ['BOOKING_HOLD_EXPIRING', 'The hold on the booking expires soon.'],
  ['BOOKING_HOLD_EXPIRED', 'The hold on the booking has expired.'],
  ['BOOKING_CANCELLED', 'The booking is cancelled.'],
])('%s is said as: %s', (reason, words) => {
  expect(deliveryOf({ ...facts, primaryStatusReasons: [reason] }).reasons).toEqual([words])
})

test.each([
  ['ELIGIBLE', 'delivering'],
  ['LIMITED', 'delivering'],
  ['LEARNING', 'delivering'],
  ['PAUSED', 'not_delivering'],
  ['PENDING', 'not_delivering'],
  ['ENDED', 'not_delivering'],
  ['REMOVED', 'not_delivering'],
  ['MISCONFIGURED', 'not_delivering'],
  ['NOT_ELIGIBLE', 'not_delivering'],
  ['A_NEW_WORD', 'unknown'],
])('%s is %s', (primaryStatus, state) => {
  expect(deliveryOf({ ...facts, primaryStatus }).state).toBe(state)
})

test('each primary status is judged', () => {
  for (const primaryStatus of enumOf('CampaignPrimaryStatusEnum.CampaignPrimaryStatus'))
    expect(deliveryOf({ ...facts, primaryStatus }).state).not.toBe('unknown')
})

test('reasons are in words; a new one is as it is', () => {
  const primaryStatusReasons = ['NO_KEYWORDS', 'A_NEW_REASON']
  expect(deliveryOf({ ...facts, primaryStatusReasons }).reasons).toEqual([
    ...['The campaign has no keywords.', 'A_NEW_REASON'],
  ])
})

test('enabled and paused are said both ways', () => {
  expect([networkStatusOf('enabled'), networkStatusOf('paused')]).toEqual(['ENABLED', 'PAUSED'])
  expect([runOf('ENABLED'), runOf('PAUSED'), runOf('UNKNOWN')]).toEqual([
    'enabled',
    'paused',
    'paused',
  ])
})

test.each([
  [{}, 'active'],
  [{ startsAt: 11 }, 'scheduled'],
  [{ startsAt: 10 }, 'active'],
  [{ status: 'PAUSED', startsAt: 11 }, 'paused'],
  [{ endsAt: 10 }, 'ended'],
  [{ endsAt: 11 }, 'active'],
  [{ primaryStatus: 'ENDED' }, 'ended'],
])('%o at 10 is %s', (change, status) => {
  expect(statusOf({ ...facts, ...change }, 10)).toBe(status)
})
