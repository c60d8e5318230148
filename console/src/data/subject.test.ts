import { expect, test } from 'vitest'
import { subjectOf } from './subject.ts'

type Object = Record<string, unknown>

const eventOf = (type: string, object: Object) =>
  ({ type, data: { object } }) as unknown as Parameters<typeof subjectOf>[0]

test('an object is known by its name, title, address or email', () => {
  const nameOf = (object: Object) => subjectOf(eventOf('campaign.updated', object)).name
  expect(nameOf({ id: 'cmp_1', name: 'Autumn' })).toBe('Autumn')
  expect(nameOf({ id: 'cst_1', title: 'Raise' })).toBe('Raise')
  expect(nameOf({ id: 'whe_1', url: 'https://ads.example' })).toBe('https://ads.example')
  expect(nameOf({ id: 'usr_1', name: null, email: 'ann@ads.example' })).toBe('ann@ads.example')
  expect(nameOf({ id: 'cmp_1' })).toBeNull()
})

test('the pacing of a campaign leads to the campaign', () => {
  const event = eventOf('pacing.changed', { campaign_id: 'cmp_1', name: 'Autumn' })
  expect(subjectOf(event)).toEqual({ type: 'campaign', id: 'cmp_1', name: 'Autumn' })
})

test('guardrails are called so, not by the id of their organization', () => {
  const event = eventOf('organization.guardrails_updated', { id: 'org_1' })
  expect(subjectOf(event)).toEqual({ type: 'guardrail', id: 'org_1', name: 'Guardrails' })
  const renamed = eventOf('organization.updated', { id: 'org_1', name: 'Acme' })
  expect(subjectOf(renamed)).toEqual({ type: 'organization', id: 'org_1', name: 'Acme' })
})

test('a deployment leads to its campaign, under the name that its network should show', () => {
  const object = { id: 'dpl_1', campaign_id: 'cmp_1', desired: { name: 'Autumn' } }
  const event = eventOf('deployment.drifted', object)
  expect(subjectOf(event)).toEqual({ type: 'campaign', id: 'cmp_1', name: 'Autumn' })
})
