import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Command } from '../../src/commands/command.ts'
import { commands } from '../../src/commands/commands.ts'
import { begin, run, type Service, serve } from '../support/machines/command-line.ts'
import { mailSettings, openMailServer } from '../support/machines/mail/mail-server.ts'
import { freePort } from '../support/machines/ports.ts'

// The example of each command, run in the order of the help, beside one service.
let home: string
let env: Record<string, string>
let service: Service
/** Ids in place of those in the examples, by their prefix. */
const ids: Record<string, string> = {}

const account = { email: 'admin@example.com', password: 'correct horse battery staple' }

const nameOf = ({ usage }: Command) => usage.replace(/ <.*/, '')

/** The example's words as a shell reads them, without the name of the command. */
const wordsOf = ({ example }: Command): string[] =>
  (example.match(/"[^"]*"|\S+/g) ?? []).map((word) =>
    word.replaceAll('"', '').replace(/^(org|key)_.*/, (id, prefix) => ids[prefix] ?? id),
  )

const find = (name: string): Command => {
  const found = commands.find((command) => nameOf(command) === name)
  if (!found) throw new Error(`there is no command ${name}`)
  return found
}

async function post(path: string, body: object) {
  const headers = {
    'content-type': 'application/json',
    ...(env.FLIGHTDECK_TOKEN && { authorization: `Bearer ${env.FLIGHTDECK_TOKEN}` }),
  }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  const reply = await fetch(`${service.url}/api/v1${path}`, request)
  expect(reply.ok).toBe(true)
  return reply.json() as Promise<{ id: string; token: string }>
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-examples-'))
  env = {
    FLIGHTDECK_PORT: String(await freePort()),
    FLIGHTDECK_ADMIN_EMAIL: account.email,
    FLIGHTDECK_ADMIN_PASSWORD: account.password,
  }
  const [, ...words] = wordsOf(find('serve'))
  service = await serve(home, env, words)
  env.FLIGHTDECK_TOKEN = (await post('/auth/login', account)).token
  ids.key = (await post('/api_keys', { name: 'Reporting', role: 'editor' })).id
  await writeReport()
})
afterAll(async () => {
  await service.stop('SIGTERM')
  await rm(home, { recursive: true, force: true })
})

async function writeReport(): Promise<void> {
  const { id: profile_id } = await post('/profiles', { name: 'Main', currency: 'USD' })
  const fields = { name: 'A', objective: 'sales', daily_budget: 5, external_id: 'nw-1' }
  await post('/campaigns', { ...fields, profile_id })
  await writeFile(join(home, 'report.csv'), 'Campaign ID,date,spend\nnw-1,2025-09-01,12.50\n')
}

async function succeeds(command: Command, directory = home): Promise<string> {
  const { code, stdout, stderr } = await run(directory, wordsOf(command), env)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

/** Commands that do not end by themselves, or need another place. */
const arranged: Record<string, (command: Command) => Promise<void>> = {
  // Began before all others.
  serve: async () => expect((await fetch(`${service.url}/livez`)).status).toBe(200),

  'mail test': async (command) => {
    const server = await openMailServer()
    try {
      const { code, stdout } = await run(home, wordsOf(command), {
        ...env,
        ...mailSettings(server),
      })
      expect([code, stdout]).toEqual([0, expect.stringContaining('has taken a mail')])
      expect(server.mails[0]?.to).toEqual(['grace@example.com'])
    } finally {
      await server.close()
    }
  },

  'orgs create': async (command) => {
    ids.org = /org_\w+/.exec(await succeeds(command))?.[0] ?? ''
  },

  'backup restore': async (command) => {
    const other = join(home, 'restored')
    await mkdir(join(other, 'data'), { recursive: true, mode: 0o700 })
    for (const file of ['flightdeck.backup', 'data/master.key'])
      await copyFile(join(home, file), join(other, file))
    expect(await succeeds(command, other)).toContain('Everything is restored')
  },

  listen: async (command) => {
    const listening = begin(home, wordsOf(command), env)
    await vi.waitFor(() => expect(listening.output.stderr).toContain('Connected to'), 30_000)
    listening.signal('SIGINT')
    expect(await listening.ended).toMatchObject({ code: 0 })
  },
}

describe.each(commands.map((command) => [nameOf(command), command] as const))(
  '%s',
  (name, command) => {
    test('has an example of itself, which its help shows', async () => {
      expect(command.example.split(' ').slice(0, name.split(' ').length).join(' ')).toBe(name)
      const { stdout } = await run(home, [...name.split(' '), '--help'])
      expect(stdout).toContain(`\nExample: flightdeck ${command.example}\n`)
    })

    test('succeeds as in its example', async () => {
      await (arranged[name] ?? succeeds)(command)
    })
  },
)
