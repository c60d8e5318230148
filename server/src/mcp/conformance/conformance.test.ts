import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { madeKey } from '../../../test/support/api-keys.ts'
import { listen } from '../../../test/support/event-stream.ts'
import { openWorld, unlimited, type World } from '../../../test/support/world.ts'

const suite = join(import.meta.dirname, '../../../../node_modules/.bin/conformance')
const notServed = join(import.meta.dirname, 'not-served.yaml')

let world: World
let door: Server
let url: string
let results: string

/** The suite sends no credential: this door in front of the service adds it, and nothing else. */
beforeAll(async () => {
  const target = { port: 0, key: '' }
  door = createServer((sent, reply) => {
    const headers = { ...sent.headers, authorization: `Bearer ${target.key}` }
    const { method, url: path } = sent
    const onward = request({ port: target.port, method, path, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(reply)
    })
    onward.on('error', () => reply.destroy())
    sent.pipe(onward)
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
  world = await openWorld({ env: { ...unlimited, FLIGHTDECK_PUBLIC_URL: url } })
  const { owner } = await world.organization()
  target.key = (await madeKey(world, owner, { name: 'Conformance', role: 'editor' })).key
  target.port = Number(new URL(await listen(world.app)).port)
  results = await mkdtemp(join(tmpdir(), 'flightdeck-conformance-'))
})
afterAll(async () => {
  door.closeAllConnections()
  door.close()
  await world.close()
  await rm(results, { recursive: true, force: true })
})

test('the suite of the protocol passes, but for tools and prompts of its own server', async () => {
  const words = ['server', '--url', `${url}/mcp`, '--suite', 'all', '-o', results]
  const child = spawn(suite, [...words, '--expected-failures', notServed])
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  expect([`${output}${errors}`, code]).toEqual([expect.stringContaining('server-initialize'), 0])
})
