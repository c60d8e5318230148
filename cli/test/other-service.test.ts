import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { terminalAt } from './flightdeck.ts'

let server: Server | undefined
afterEach(() => server?.close())

type Reply = { status: number; body: object; headers?: Record<string, string> }

/** The command line beside a service that answers by `reply`. */
async function beside(reply: (method: string, path: string) => Reply) {
  const started = createServer((request, response) => {
    const { status, body, headers } = reply(request.method ?? '', request.url ?? '')
    const type = status < 400 ? 'application/json' : 'application/problem+json'
    response.writeHead(status, { 'content-type': type, ...headers }).end(JSON.stringify(body))
  })
  server = started.listen(0, '127.0.0.1')
  await once(started, 'listening')
  const { port } = started.address() as AddressInfo
  return await terminalAt(`http://127.0.0.1:${port}`, { FLIGHTDECK_TOKEN: 'any' })
}

const problem = (status: number, code: string): Reply => ({
  status,
  body: {
    type: `/problems/${code}`,
    title: code,
    status,
    code,
    detail: 'No.',
    retry: 'terminal',
    request_id: 'req_1',
    timestamp: '2026-01-01T00:00:00Z',
    errors: [],
  },
})

const older = (operation: object) => (_: string, path: string) =>
  path.endsWith('/openapi.json')
    ? { status: 200, body: { info: { version: '0.0.9' }, paths: { '/views': operation } } }
    : problem(
        path.includes('/views') ? 400 : 404,
        path.includes('/views') ? 'unknown_parameter' : 'not_found',
      )

test('an operation that an older service lacks is named as such', async () => {
  const { run } = await beside(older({}))
  const ended = await run(['clients', 'list'])
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toMatch(
    /version \d+\.\d+\.\d+; the service is 0\.0\.9, and has no such operation/,
  )
})

test('a flag that an older service lacks is named, and no other', async () => {
  const { run } = await beside(older({ get: { parameters: [{ name: 'limit', in: 'query' }] } }))
  const ended = await run(['views', 'list', '--limit', '5', '--resource', 'campaigns'])
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain('the service is 0.0.9, and does not know --resource.')
})

test('a refusal by a service of the same version stays as it is', async () => {
  const { run } = await beside((_, path) =>
    path.endsWith('/openapi.json') ? problem(503, 'unavailable') : problem(404, 'not_found'),
  )
  const ended = await run(['clients', 'get', 'cli_01m7yez275fk1a52pr5qevn8kn'])
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('(not_found)') })
})

test('a request that still runs under the same key is waited for, and is no refusal', async () => {
  let asked = 0
  const { run } = await beside(() => {
    asked += 1
    const busy = problem(409, 'idempotency_in_progress')
    return { ...busy, body: { ...busy.body, retry: 'transient' }, headers: { 'retry-after': '0' } }
  })
  const ended = await run(['templates', 'create', '--name', 'A', '--idempotency-key', 'k'])
  expect([ended.code, asked]).toEqual([7, 4])
})
