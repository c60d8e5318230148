import { expect, test } from 'vitest'
import { words } from '../words.ts'
import { actionText, eventText } from './words.ts'

test.each([
  ['campaign.paused', 'Paused', 'Campaign paused'],
  ['campaign.budget_raised', 'Budget raised', 'Campaign budget raised'],
  ['webhook_endpoint.created', 'Created', 'Webhook endpoint created'],
  ['api_key.created', 'Created', 'API key created'],
  ['campaign.updated', 'Updated', 'Campaign updated'],
  ['pacing.stale', 'Results became late', 'Results became late'],
])('%s in words', (type, action, event) => {
  expect(actionText(type)).toBe(action)
  expect(eventText(type)).toBe(event)
})

test('a state without words stays as it is', () => {
  expect([words('pending_review'), words('')]).toEqual(['Pending review', ''])
})
