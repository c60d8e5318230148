import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ended, run } from '../support/machines/command-line.ts'
import { freePort } from '../support/machines/ports.ts'
import { type OnTerminal, serveOnTerminal } from '../support/machines/terminal.ts'

// One data directory: the first start fails, the second makes the owner.
let home: string
let refused: Ended
let service: OnTerminal
let port: number
let startMs: number

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-first-start-'))
  port = await freePort()
  const other = await listenOn(port)
  refused = await run(home, ['serve'], { FLIGHTDECK_PORT: String(port) })
  other.close()
  const begun = performance.now()
  service = await serveOnTerminal(home)
  startMs = performance.now() - begun
})
afterAll(async () => {
  await service.stop()
  await rm(home, { recursive: true })
})

async function listenOn(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** Runs the screen's text from this word on, pasted into a shell in the same directory. */
function pasted(firstWords: RegExp): string {
  const { PATH = '', HOME = '' } = process.env
  const [command = ''] = firstWords.exec(service.said()) ?? []
  const { stdout } = spawnSync('sh', ['-c', command], { cwd: home, env: { PATH, HOME } })
  return String(stdout)
}

test('a busy port is reported in one line, and costs no password', () => {
  expect(refused).toMatchObject({
    code: 1,
    stderr: `flightdeck: Cannot listen on 127.0.0.1:${port}: another program listens there. Set FLIGHTDECK_PORT or FLIGHTDECK_HOST.\n`,
  })
  expect(service.said()).toContain('First start')
})

test('on a terminal the password is shown, and kept in no file', async () => {
  expect(service.said()).toMatch(/^ {2}Password +\S+$/m)
  expect(await readdir(join(home, 'data'))).not.toContain('first-password')
})

test('it takes no longer than the README says', async () => {
  const readme = await readFile(join(import.meta.dirname, '../../../README.md'), 'utf8')
  const [, seconds] = /first start takes .+ 3 to (\d+) on a busy machine/s.exec(readme) ?? []
  // Four times that, as other tests run at the same time.
  expect(startMs).toBeLessThan(4 * 1_000 * Number(seconds))
})

test('the commands of the first start work as they are: to log in, and to set a new password', () => {
  const logIn = () => JSON.parse(pasted(/curl -s .+\\\n.+\\\n.+/))
  expect(logIn()).toMatchObject({ token: expect.any(String) })
  expect(pasted(/\S+ users set-password .+/)).toMatch(/^Password +(\S+)/m)
  expect(logIn()).toMatchObject({ code: 'invalid_credentials' })
  expect(pasted(/\S+ --help/)).toContain('Usage: flightdeck')
})
