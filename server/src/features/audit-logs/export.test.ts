import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../../../test/support/world.ts'
import { publicEndpoint } from '../../http/endpoint.ts'
import { addEndpoint } from '../../http/pipeline.ts'
import { csvOf } from '../../query/csv.ts'
import { genesis, resultOf, verifyNext } from './chain.ts'
import type { AuditLog } from './schema.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const linesOf = (text: string): AuditLog[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

test('an export contains every record up to its own, and verifies by itself', async () => {
  const { owner, id } = await world.organization()
  for (let at = 0; at < 230; at += 1) await owner.patch('/organization', { name: `N${at}` })
  const reply = await owner.get('/audit_logs/export')
  expect(reply.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(reply.headers['content-disposition']).toBe(
    `attachment; filename="audit_logs_${id}_234.ndjson"`,
  )
  const records = linesOf(reply.body)
  expect(records).toHaveLength(234)
  expect(records.at(-1)).toMatchObject({
    action: 'audit_log.exported',
    resource: { type: 'audit_log', id: null },
    changes: [{ field: 'format', before: null, after: 'ndjson' }],
  })
  let last = genesis
  for (const record of records) last = verifyNext(last, record) ?? last
  expect(resultOf(genesis, last, null)).toMatchObject({ to_sequence: 234 })
  expect((await owner.get('/audit_logs?limit=1')).json().data).toEqual([records.at(-1)])
})

test('an export accepts the filters of the list, and refuses invalid ones', async () => {
  const { owner } = await world.organization()
  const reply = await owner.get('/audit_logs/export?action=auth.*')
  expect(linesOf(reply.body).map(({ action }) => action)).toEqual(['auth.login_succeeded'])
  expect((await owner.get('/audit_logs/export?format=xml')).statusCode).toBe(400)
  expect((await owner.get('/audit_logs/export?occurred_after=x')).statusCode).toBe(400)
  const { data } = (await owner.get('/audit_logs?action=audit_log.exported')).json()
  expect(data).toHaveLength(1)
})

test('a CSV export is quoted, and contains no spreadsheet formulas', async () => {
  const { owner } = await world.organization()
  await owner.patch('/organization', { name: '=cmd|"/c calc"!A1, or not' })
  const reply = await owner.get('/audit_logs/export?format=csv&action=organization.updated')
  expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
  const [header, row, end] = reply.body.split('\r\n')
  expect(header).toMatch(/^sequence,id,occurred_at,action,outcome,actor_type/)
  expect(row).toContain(`,"'=cmd|""/c calc""!A1, or not",`)
  expect(end).toBe('')
})

test.each([
  [null, ''],
  ['', ''],
  [' padded ', '" padded "'],
  ['\n=1', '"\'\n=1"'],
  ['＝1', "'＝1"],
  [[{ field: 'a' }], '"[{""field"":""a""}]"'],
  [12, '12'],
  [-1, '-1'],
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['+49 30', "'+49 30"],
  [' @sum(A1)', "' @sum(A1)"],
  ['\t=1', "'\t=1"],
  ['-2', "'-2"],
])('the cell of %j is %j', (value, cell) => {
  expect(csvOf([[value]])).toBe(`${cell}\r\n`)
})

test('a stream that fails halfway resets the connection, so it cannot pass for complete', async () => {
  async function* failing() {
    yield 'first\n'
    throw new Error('the database went away')
  }
  const app = Fastify()
  const run = async () => ({ contentType: 'text/plain', fileName: 'x', chunks: failing() })
  addEndpoint(app, world.services, {
    ...publicEndpoint({
      operation: 'fail',
      tag: { name: 'Test', description: '' },
      summary: 'Fails halfway',
      method: 'GET',
      path: '/fail',
      streams: ['text/plain'],
      run,
    }),
    ids: [],
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const call = request({ port, host: '127.0.0.1', path: '/api/v1/fail' }).end()
  const [response] = await once(call, 'response')
  response.resume()
  await expect(once(response, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' })
  await app.close()
})
