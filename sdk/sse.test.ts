import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Block, blocksOf } from './src/transport/sse.ts'

async function* split(bytes: Uint8Array, at: readonly number[]): AsyncGenerator<Uint8Array> {
  const cuts = [...at.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  let from = 0
  for (const to of cuts) {
    yield bytes.subarray(from, to)
    from = to
  }
}

const read = (text: string, cuts: number[] = []): Promise<Block[]> =>
  Array.fromAsync(blocksOf(split(new TextEncoder().encode(text), cuts)))

test('blocks do not depend on how the network splits them, even within a character', async () => {
  const data = JSON.stringify({ name: 'Größe 🚀\u2028', text: 'a\nb\r\nc' })
  const text = `retry: 2000\n: connected\nid: evt_1\n\nid: evt_2\nevent: a.b\ndata: ${data}\n\n: heartbeat\n\n`
  const whole = [
    { id: 'evt_1', type: 'message', data: '' },
    { id: 'evt_2', type: 'a.b', data },
    { id: null, type: 'message', data: '' },
  ]
  const property = fc.asyncProperty(fc.array(fc.nat(300)), async (cuts) => {
    expect(await read(text, cuts)).toEqual(whole)
  })
  await fc.assert(property)
})

test('an incomplete block at the end is dropped', async () => {
  expect(await read('id: evt_1\ndata: {}\n')).toEqual([])
})

test('lines may end with CRLF, and data may span several lines', async () => {
  expect(await read('id:1\r\ndata:  a\r\ndata: b\r\n\r\n')).toEqual([
    { id: '1', type: 'message', data: ' a\nb' },
  ])
})
