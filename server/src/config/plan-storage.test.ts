import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const read = (text: string) => readConfig({ FLIGHTDECK_PLAN_STORAGE: text }).planStorage
const defaults = { free: 200_000_000, operator: 2_000_000_000, captain: 20_000_000_000, zion: null }

test('a plan that is left out keeps its default', () => {
  expect(read('')).toEqual(defaults)
  expect(read('operator=5GB, free = none')).toEqual({ ...defaults, operator: 5e9, free: null })
  expect(read('free=1,zion=1000TB,captain=300kB,operator=2MB')).toEqual({
    free: 1,
    operator: 2e6,
    captain: 3e5,
    zion: 1e15,
  })
})

test.each([
  'free=0',
  'free',
  'free=',
  'free=1.5GB',
  'free=1XB',
  'free=1001TB',
  'gold=1GB',
  'free=-1',
])('%s stops the start', (text) =>
  expect(() => read(text)).toThrow('FLIGHTDECK_PLAN_STORAGE: must be'),
)
