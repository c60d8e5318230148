import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFlightdeck, type Flightdeck } from '@flightdeckhq/sdk'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Service, serve } from '../support/machines/command-line.ts'

const program = join(import.meta.dirname, '../../../flightdeck')

let home: string
let service: Service
const begun: ChildProcess[] = []

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-demo-'))
  service = await serve(home)
})
afterEach(async () => {
  for (const child of begun) child.kill('SIGKILL')
  await service.stop('SIGTERM')
  await rm(home, { recursive: true })
})

/** The demo as in a clone, beside the service. */
function demo() {
  const { PATH = '', HOME = '' } = process.env
  const env = {
    FLIGHTDECK_DATA_DIR: join(home, 'data'),
    FLIGHTDECK_PORT: new URL(service.url).port,
  }
  const child = spawn(program, ['demo'], { cwd: home, env: { PATH, HOME, ...env } })
  begun.push(child)
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output.text += chunk
    })
  return { child, output, ended: once(child, 'close') }
}

async function ownerOf(): Promise<Flightdeck> {
  const password = (await readFile(join(home, 'data/first-password'), 'utf8')).trim()
  const login = { email: 'admin@flightdeck.local', password }
  return createFlightdeck({ baseUrl: `${service.url}/api/v1`, login })
}

const countsOf = async (owner: Flightdeck) => {
  const deployments = await owner.deployments.list().toArray({ limit: 100 })
  return Object.groupBy(deployments, ({ state }) => state)
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'the demo lives until %s: a simulated network runs campaigns, one drifts, one is gone',
  async (signal) => {
    const { child, output, ended } = demo()
    await vi.waitFor(() => expect(output.text).toContain('A simulated network runs'), 60_000)
    const owner = await ownerOf()
    const waiting = { timeout: 60_000, interval: 500 }
    await vi.waitFor(async () => {
      const { in_sync = [], drifted = [], blocked = [] } = await countsOf(owner)
      expect([in_sync.length > 2, drifted.length, blocked.length]).toEqual([true, 1, 1])
      expect(blocked[0]?.error?.code).toBe('gone')
    }, waiting)
    const [profile] = await owner.profiles
      .list({ connection_state: 'connected' })
      .toArray({ limit: 1 })
    const free = await owner.profiles.listNetworkCampaigns(profile?.id ?? '', { linked: false })
    expect(free.data.map(({ name }) => name)).toContain('Brand – exact')
    child.kill(signal)
    const [code] = await ended
    expect([code, output.text.includes('The simulated network has ended.')]).toEqual([0, true])
    // Once more: it goes on with what it has.
    const again = demo()
    await vi.waitFor(() => expect(again.output.text).toContain('A simulated network runs'), 60_000)
    expect((await countsOf(owner)).drifted).toHaveLength(1)
    again.child.kill(signal)
    expect((await again.ended)[0]).toBe(0)
  },
)
