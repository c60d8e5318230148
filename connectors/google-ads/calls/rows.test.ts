import { expect, test } from 'vitest'
import { customerIn } from './rows.ts'

const row = (status: string) => ({
  customer: { id: '1', currencyCode: 'USD', timeZone: 'UTC', status },
})

test.each([
  ['ENABLED', 'active'],
  ['SUSPENDED', 'suspended'],
  ['CANCELED', 'closed'],
  ['CLOSED', 'closed'],
])('an account that is %s is %s', (word, status) => {
  expect(customerIn(row(word)).status).toBe(status)
})

test('an account in a state that is new is not taken for one that works', () => {
  expect(() => customerIn(row('UNKNOWN'))).toThrow('read')
})
