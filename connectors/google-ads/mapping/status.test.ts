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
