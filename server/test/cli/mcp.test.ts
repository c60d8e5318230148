import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run, type Service, serve } from '../support/machines/command-line.ts'
import { deafPort, freePort } from '../support/machines/ports.ts'

let home: string
let service: Service
let token: string

const account = { email: 'admin@example.com', password: 'correct horse battery staple' }

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-mcp-'))
  service = await serve(home, {
    FLIGHTDECK_PORT: String(await freePort()),
    FLIGHTDECK_ADMIN_EMAIL: account.email,
    FLIGHTDECK_ADMIN_PASSWORD: account.password,
  })
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(account)
  const reply = await fetch(`${service.url}/api/v1/auth/login`, { method: 'POST', headers, body })
  token = JSON.parse(await reply.text()).token
})
afterAll(async () => {
  await service.stop('SIGTERM')
  await rm(home, { recursive: true, force: true })
})

async function connected(mode: 'legacy' | 'auto', url: string): Promise<Client> {
  const client = new Client({ name: 'desk', version: '7.1' }, { versionNegotiation: { mode } })
  const transport = new StdioClientTransport({
    command: resolve('flightdeck'),
    args: ['mcp'],
    cwd: home,
    env: { PATH: process.env.PATH ?? '', FLIGHTDECK_URL: url, FLIGHTDECK_TOKEN: token },
  })
  await client.connect(transport)
  return client
}

test.each(['legacy', 'auto'] as const)('the tools work over standard input: %s', async (mode) => {
  const client = await connected(mode, service.url)
  expect((await client.listTools()).tools).toHaveLength(10)
  const proposed = await client.callTool({
    name: 'propose_changes',
    arguments: { title: 'None', operations: [{ op: 'update', id: 'cmp_x', body: {} }] },
  })
  expect(proposed.structuredContent).toMatchObject({ change_set: { applicable: false } })
  const found = await client.callTool({ name: 'find_campaigns' })
  expect(found.structuredContent).toMatchObject({ page: { data: [] } })
  await client.close()
})

test('a service that does not answer is a refusal, not an end', async () => {
  const client = await connected('auto', `http://127.0.0.1:${deafPort}`)
  const found = await client.callTool({ name: 'find_campaigns' })
  expect(found).toMatchObject({
    isError: true,
    structuredContent: { problem: { code: 'unreachable' } },
  })
  await client.close()
})

test('without a token it says what is missing', async () => {
  const { code, stderr } = await run(home, ['mcp', '--url', service.url])
  expect(code).toBe(2)
  expect(stderr).toContain('FLIGHTDECK_TOKEN')
})
