import { beforeAll, describe, expect, test } from 'vitest'
import {
  circleIn,
  folderGraph,
  importGraph,
  isTest,
  roomIn,
  type Source,
  sourcesOf,
  upward,
} from '../../server/test/support/sources.ts'

/** The rooms of console/src. Each imports only those above it, types included. */
const rooms = [
  'api.gen.ts',
  'rights.ts',
  'flightdeck.ts',
  'address.ts',
  'kinds.ts',
  'data',
  'session.tsx',
  'live.ts',
  'ui',
  'charts',
  'features',
  'shell',
  'router.tsx',
  'main.tsx',
]

let sources: Source[]

beforeAll(async () => {
  const all = await sourcesOf('console/src/**/*.{ts,tsx}')
  sources = all.filter(({ path }) => !isTest(path))
})

describe('imports of the console point one way', () => {
  test('every room of console/src is in the list', () => {
    const found = new Set(sources.map(({ path }) => roomIn('console/src', path)))
    expect([...found].sort()).toEqual([...rooms].sort())
  })

  test('a room imports only the rooms above it, types included', () => {
    expect(upward(sources, 'console/src', rooms)).toEqual([])
  })

  test('there is no circle of folders that stand side by side', () => {
    expect(circleIn(folderGraph(sources))).toBeUndefined()
  })

  test('there is no circle of files, types and what is loaded later included', () => {
    expect(circleIn(importGraph(sources))).toBeUndefined()
    const circle = { a: ['b'], b: ['c'], c: ['d', 'b'] }
    const graph = new Map(Object.entries(circle).map(([from, to]) => [from, new Set(to)]))
    expect(circleIn(graph)).toBe('b → c → b')
  })

  test('the console knows the service by the SDK and the OpenAPI document alone', () => {
    const foreign = sources.flatMap(({ imports }) => imports.filter((it) => /^server\//.test(it)))
    expect(foreign).toEqual([])
  })
})

/** Here, as the compiler takes any text for an address. */
describe('links name a screen of the router', () => {
  const linking = () => sources.filter(({ imports }) => imports.includes('@tanstack/react-router'))

  test('no address is built of texts', () => {
    const built = linking().filter(({ text }) => /\bto(?:=\{|: )`/.test(text))
    expect(built.map(({ path }) => path)).toEqual([])
  })

  test('no type has an address as a text', () => {
    const loose = linking().filter(({ text }) => /\bto\??: string\b/.test(text))
    expect(loose.map(({ path }) => path)).toEqual([])
  })
})
