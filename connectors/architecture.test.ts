import { dirname } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { isTest, type Source, sourcesOf, upward } from '../server/test/support/sources.ts'

// Connectors have no privileges: they are clients of the API, as a stranger's would be.

let sources: Source[]

beforeAll(async () => {
  const all = await sourcesOf('connectors/**/*.ts')
  sources = all.filter(
    ({ path }) => !isTest(path) && !/node_modules|\/(?:test|killed)\//.test(path),
  )
})

const googleRooms = [
  'mapping',
  'calls',
  'reading.ts',
  'figures.ts',
  'examine.ts',
  'adapter.ts',
  'login.ts',
  'google-ads.ts',
]

const outside = (room: string, allowed: RegExp) =>
  sources
    .filter(({ path }) => path.startsWith(room))
    .flatMap(({ path, imports }) =>
      imports.filter((target) => !allowed.test(target)).map((target) => `${path} → ${target}`),
    )

/** The rooms of the kit. Each imports only those above it, types included. */
const rooms = [
  'contract',
  'network',
  'telemetry',
  'lease',
  'account',
  'command',
  'connect.ts',
  'adapter-tests.ts',
]

describe('imports of connectors', () => {
  test('the kit is built on Node.js and the SDK alone', () => {
    expect(
      outside('connectors/kit/', /^(?:node:|@flightdeckhq\/sdk$|sdk\/|connectors\/kit\/)/),
    ).toEqual([])
  })

  test('its rooms import only the rooms above them', () => {
    const own = sources.filter(({ path }) => path.startsWith('connectors/kit/'))
    expect(upward(own, 'connectors/kit/src', rooms)).toEqual([])
  })

  test('an adapter uses what the kit exports', () => {
    const allowed = /^(?:node:|connectors\/sim\/|connectors\/kit\/src\/connect\.ts$)/
    expect(outside('connectors/sim/', allowed)).toEqual([])
  })

  test('that of Google Ads too, and its protos are of its fake alone', () => {
    const own = sources.filter(({ path }) => path.startsWith('connectors/google-ads/'))
    const kit = /^(?:node:|connectors\/google-ads\/(?!fake\/)|connectors\/kit\/src\/connect\.ts$)/
    const wrong = own
      .filter(({ path }) => !path.startsWith('connectors/google-ads/fake/'))
      .flatMap(({ path, imports }) =>
        imports.filter((target) => !kit.test(target)).map((target) => `${path} → ${target}`),
      )
    expect(wrong).toEqual([])
    const fake = /^(?:node:|protobufjs$|connectors\/google-ads\/fake\/)/
    expect(outside('connectors/google-ads/fake/', fake)).toEqual([])
  })

  test('its rooms import only the rooms above them', () => {
    const own = sources.filter(({ path }) => path.startsWith('connectors/google-ads/'))
    expect(upward(own, 'connectors/google-ads', googleRooms)).toEqual([])
  })

  test('a simulated network knows nothing of Flightdeck', () => {
    expect(outside('connectors/sim/network/', /^(?:node:|connectors\/sim\/network\/)/)).toEqual([])
  })
})

test('no folder of connectors has more than 20 source files', () => {
  const folders = Map.groupBy(sources, ({ path }) => dirname(path))
  const full = [...folders].filter(([, inside]) => inside.length > 20).map(([folder]) => folder)
  expect(full).toEqual([])
})
