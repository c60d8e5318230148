import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../support/machines/ports.ts'
import { blocksOf } from './blocks.ts'

const root = join(import.meta.dirname, '../../..')
const programs = blocksOf(readFileSync(join(root, 'docs/guides/webhooks.md'), 'utf8'))
  .filter(({ file }) => file?.startsWith('receiver.'))
  .map(({ file, text }) => ({ file: String(file), text }))

const secret = `whsec_${randomBytes(32).toString('base64')}`
const body = JSON.stringify({ id: 'evt_1', type: 'campaign.paused', data: { object: {} } })
let home: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-receivers-'))
  await symlink(join(root, 'node_modules'), join(home, 'node_modules'))
})
afterAll(() => rm(home, { recursive: true }))

async function start(file: string, text: string): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort()
  await writeFile(join(home, file), text.replaceAll('3000', String(port)))
  const program = file.endsWith('.py') ? 'python3' : process.execPath
  const { PATH = '' } = process.env
  const env = { PATH, WEBHOOK_SECRET: secret }
  const receiver = spawn(program, [file], { cwd: home, env, stdio: 'ignore' })
  const stop = async () => {
    receiver.kill('SIGKILL')
    await once(receiver, 'exit')
  }
  return { url: `http://127.0.0.1:${port}/`, stop }
}

function headersSignedWith(key: string): Record<string, string> {
  const now = new Date()
  return {
    'content-type': 'application/json',
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign('evt_1', now, body),
  }
}

test.each(programs)('$file accepts an event, and refuses a forged one', async ({ file, text }) => {
  const { url, stop } = await start(file, text)
  const post = async (key: string) =>
    (await fetch(url, { method: 'POST', headers: headersSignedWith(key), body })).status
  try {
    await vi.waitFor(async () => expect(await post(secret)).toBe(204), 20_000)
    expect(await post(`whsec_${randomBytes(32).toString('base64')}`)).toBe(400)
  } finally {
    await stop()
  }
})

test('there are receivers with the SDK, with a library, and without one', () => {
  expect(programs.map(({ file }) => file)).toEqual(['receiver.ts', 'receiver.mjs', 'receiver.py'])
})
