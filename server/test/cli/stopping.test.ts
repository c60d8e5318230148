import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readPidFile } from '../../src/database/embedded/pid-file.ts'
import { begin, type Service, serve } from '../support/machines/command-line.ts'

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

test('a stopping process releases its background work at once, while running requests continue', async () => {
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
  }, 30_000)
  slow.write('}')
  const [answer] = await once(slow, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 422 /)
  expect(await stopped).toBe(0)
})

const postgresOf = async (dir: string) => (await readPidFile(join(dir, 'data', 'postgres')))?.pid

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test.each(['SIGHUP', 'SIGINT', 'SIGTERM'] as const)(
  '%s stops the service and its PostgreSQL in order',
  async (signal) => {
    const postgres = Number(await postgresOf(home))
    expect(isAlive(postgres)).toBe(true)
    expect(await service.stop(signal)).toBe(0)
    expect(isAlive(postgres)).toBe(false)
    expect(await postgresOf(home)).toBeUndefined()
  },
)

test('a command that receives SIGHUP leaves no PostgreSQL behind', async () => {
  await service.stop('SIGTERM')
  const command = begin(home, ['demo'])
  const postgres = await vi.waitFor(async () => {
    const pid = await postgresOf(home)
    if (pid === undefined) throw new Error('not started yet')
    return pid
  }, 30_000)
  command.signal('SIGHUP')
  expect(await command.ended).toMatchObject({ code: 129 })
  await vi.waitFor(() => expect(isAlive(postgres)).toBe(false), 30_000)
})
