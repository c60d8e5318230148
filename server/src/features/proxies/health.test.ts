import { expect, test } from 'vitest'
import { type Health, healthAfter, unchecked } from './health.ts'

/** `+` is a check that succeeds, `-` one that fails; the letters are the statuses after each. */
const courses: Readonly<Record<string, string>> = {
  '+': 'h',
  '-': 'd',
  '--': 'dd',
  '---': 'ddf',
  '----': 'ddff',
  '--+--': 'ddhdd',
  '-+-+-+': 'dhdhdh',
  '+---': 'hddf',
  '---+': 'ddff',
  '---++': 'ddffh',
  '---+-': 'ddfff',
  '---+-+': 'ddffff',
  '---+-++': 'ddffffh',
  '---++-': 'ddffhd',
  '---++---': 'ddffhddf',
}

test.each(Object.entries(courses))('checks that go %s make a proxy %s', (checks, statuses) => {
  let health: Health = unchecked
  const seen = [...checks].map((check) => {
    health = healthAfter(health, check === '+')
    return health.health[0]
  })
  expect(seen.join('')).toBe(statuses)
})

test('a proxy that was marked dead by hand recovers like any other', () => {
  const failing = { ...unchecked, health: 'failing' as const }
  const once = healthAfter(failing, true)
  expect(once).toEqual({ health: 'failing', consecutive_failures: 0, consecutive_successes: 1 })
  expect(healthAfter(once, true).health).toBe('healthy')
})
