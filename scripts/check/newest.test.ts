import { expect, test } from 'vitest'
import { newestOfSameMajor } from './newest.ts'

test.each([
  ['26.10.0', ['26.9.0', '26.10.0'], null],
  ['26.10.0', ['26.9.0', '26.11.1', '26.11.0', '27.0.0'], '26.11.1'],
  ['18.4.0-beta.17', ['18.4.0-beta.17', '17.9.0-beta.17', '18.10.0-beta.17'], '18.10.0-beta.17'],
  ['18.4.0-beta.17', ['18.4.0-beta.18', '18.4.0-beta.9'], '18.4.0-beta.18'],
  ['18.4.0-beta.17', [], null],
])('of %s and %j the newest is %s', (current, published, newest) => {
  expect(newestOfSameMajor(current, published)).toBe(newest)
})
