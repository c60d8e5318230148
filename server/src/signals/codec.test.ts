import { describe, expect, test } from 'vitest'
import { decodeMessage, encode, encodeSignals } from './codec.ts'
import type { Signal } from './signals.ts'

const signalOf = (at: number, endpoints = 0): Signal => ({
  organizationId: `org_${String(at).padStart(26, '0')}`,
  endpointIds: Array.from({ length: endpoints }, (_, n) => `we_${String(n).padStart(26, '0')}`),
  touchesCredentials: at % 2 === 0,
})

const range = (count: number) => Array.from({ length: count }, (_, at) => at)

const signalsIn = (texts: string[]) =>
  texts.flatMap((text) => {
    const message = decodeMessage(text)
    return 'signals' in message ? message.signals : []
  })

describe('a message', () => {
  test('arrives whole, split into several if necessary', () => {
    for (const count of [0, 1, 99, 100, 101, 150, 300, 700]) {
      const signals = range(count).map((at) => signalOf(at, at % 3))
      const texts = encodeSignals('me', signals)
      expect(signalsIn(texts)).toEqual(signals)
      for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThan(8_000)
    }
  })

  test.each([
    ['too many organizations', range(2_000).map((at) => signalOf(at))],
    ['too many endpoints of one', [signalOf(1, 300)]],
  ])('becomes "everything" with %s', (_, signals) => {
    expect(encodeSignals('me', signals).map(decodeMessage)).toEqual([
      { from: 'me', everything: true },
    ])
  })
})

describe('a received message', () => {
  test.each([
    '',
    'x',
    'null',
    '[]',
    '{"from":"a"}',
    '{"signals":[{}]}',
    '{"signals":[null]}',
    '{"signals":[["org_1",2]]}',
    '{"signals":[["org_1",0,7]]}',
  ])('that cannot be decoded may be about anything: %s', (text) => {
    expect(decodeMessage(text)).toMatchObject({ everything: true })
  })

  test('names its sender', () => {
    expect(decodeMessage(encode({ from: 'a', echo: 3 }))).toEqual({ from: 'a', echo: 3 })
  })
})
