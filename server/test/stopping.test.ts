import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Service, serve } from './support/command-line.ts'

let home: string
let service: Service

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-stopping-'))
  service = await serve(home)
})
afterEach(async () => {
  await service.stop('SIGTERM')
  await rm(home, { recursive: true })
})

test('a process that stops hands its background work back at once, while requests under way go on', async () => {
  const ready = async () => (await fetch(`${service.url}/readyz`)).json()
  await vi.waitFor(async () => expect(await ready()).toMatchObject({ status: 'ready' }), 30_000)
  const { port, hostname } = new URL(service.url)
  const slow = connect(Number(port), hostname)
  await once(slow, 'connect')
  slow.write(`POST /api/v1/auth/login HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`)
  slow.write('content-type: application/json\r\ncontent-length: 2\r\n\r\n{')
  await (await fetch(`${service.url}/livez`)).text()
  const stopped = service.stop('SIGTERM')
  await vi.waitFor(async () => {
    expect(await ready()).toMatchObject({ draining: true, checks: { queue: 'off' } })
  }, 10_000)
  slow.write('}')
  const [answer] = await once(slow, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 422 /)
  expect(await stopped).toBe(0)
}, 60_000)
