import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { documentOf } from '../../src/problems/document.ts'
import { retryLater } from '../../src/problems/problem.ts'
import { newId } from '../../src/values/ids.ts'
import { freePort } from '../support/ports.ts'

// Checks the files of deploy/ with the programs that read them, where those are installed.
const deploy = join(import.meta.dirname, '../../../deploy')
const dir = mkdtempSync(join(tmpdir(), 'flightdeck-deploy-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const run = (program: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  return { status, output: stdout + stderr }
}
const read = (name: string) => readFileSync(join(deploy, name), 'utf8')

function written(name: string, text: string): string {
  const path = join(dir, name)
  writeFileSync(path, text)
  return path
}

describe.skipIf(!has('systemd-analyze'))('systemd', () => {
  test('accepts the unit', () => {
    const path = '/opt/flightdeck/node_modules/.bin/node'
    const unit = read('flightdeck.service').replace(path, process.execPath)
    const { status, output } = run(
      'systemd-analyze',
      'verify',
      '--man=no',
      written('flightdeck.service', unit),
    )
    expect([status, output]).toEqual([0, ''])
  })
})

describe.skipIf(!has('promtool'))('Prometheus', () => {
  const rules = join(deploy, 'prometheus-rules.yaml')

  test('accepts the rules', () => {
    expect(run('promtool', 'check', 'rules', rules)).toMatchObject({ status: 0 })
  })

  const requests = (route: string, status: number) =>
    `flightdeck_http_requests_total{job="flightdeck",route="${route}",status="${status}"}`
  const jobs = (outcome: string) =>
    `flightdeck_jobs_total{job="flightdeck",queue="sessions.purge",outcome="${outcome}"}`
  const info = (role: string) => `flightdeck_info{job="flightdeck",role="${role}"}`
  const up = 'up{job="flightdeck",instance="a"}'
  const api = '/api/v1/campaigns/:id'

  /** The state of an alert after half an hour of these samples, one a minute. */
  test.each<[string, string, Record<string, string>, boolean]>([
    ['no instance is known', 'FlightdeckGone', {}, true],
    ['no instance answers', 'FlightdeckGone', { [up]: '0x60' }, true],
    ['one instance answers', 'FlightdeckGone', { [up]: '1x60' }, false],
    ['only api answers', 'FlightdeckNoWorker', { [info('api')]: '1x60' }, true],
    ['a worker answers', 'FlightdeckNoWorker', { [info('worker')]: '1x60' }, false],
    ['one process does all', 'FlightdeckNoWorker', { [info('all')]: '1x60' }, false],
    [
      'probes alone are answered with 503',
      'FlightdeckErrors',
      { [requests('/readyz', 503)]: '0+60x60', [requests(api, 200)]: '0+60x60' },
      false,
    ],
    [
      'the API fails amid many fine probes',
      'FlightdeckErrors',
      {
        [requests('/readyz', 200)]: '0+9000x60',
        [requests(api, 200)]: '0+60x60',
        [requests(api, 500)]: '0+6x60',
      },
      true,
    ],
    [
      'a nightly job fails thrice',
      'FlightdeckJobFails',
      { [jobs('failed')]: '0 0 0 0 0 1 2 3x60', [jobs('succeeded')]: '0x60' },
      true,
    ],
    [
      'a job is done when it is tried again',
      'FlightdeckJobFails',
      { [jobs('failed')]: '0 0 0 0 0 1x60', [jobs('succeeded')]: '0 0 0 0 0 0 1x60' },
      false,
    ],
  ])('when %s, %s fires as expected', (_, alertname, samples, fires) => {
    const series = Object.entries(samples).map(([series, values]) => ({ series, values }))
    const query = `count(ALERTS{alertname="${alertname}",alertstate="firing"})`
    const exp_samples = fires ? [{ labels: '{}', value: 1 }] : []
    const test = {
      interval: '1m',
      input_series: series,
      promql_expr_test: [{ expr: query, eval_time: '30m', exp_samples }],
    }
    const file = { rule_files: [rules], evaluation_interval: '1m', tests: [test] }
    const path = written('rules.test.json', JSON.stringify(file))
    expect(run('promtool', 'test', 'rules', path)).toMatchObject({ status: 0 })
  })
})

describe.skipIf(!has('haproxy'))('HAProxy', () => {
  /** `/readyz` answers the status set here; other paths break the connection, or hang. */
  let readiness = 200
  const replica = createServer(({ url }, response) => {
    if (url === '/readyz') response.writeHead(readiness).end()
    else if (url === '/api/v1/cut') response.destroy()
  })
  const life = new AsyncDisposableStack()
  let balancer = ''

  beforeAll(async () => {
    replica.listen(0, '127.0.0.1')
    await once(replica, 'listening')
    life.defer(() => void replica.close().closeAllConnections())
    const [port, health] = [await freePort(), await freePort()]
    const { port: behind } = replica.address() as AddressInfo
    const config = read('haproxy.cfg')
      .replace('bind :8080\n', `bind 127.0.0.1:${port}\n`)
      .replace('bind :8404\n', `bind 127.0.0.1:${health}\n`)
      .replace(/^ +server-template .*$/m, `    server replica1 127.0.0.1:${behind}`)
      .replace('timeout server 60s', 'timeout server 500ms')
    const haproxy = spawn('haproxy', ['-f', written('haproxy.cfg', config)], { stdio: 'ignore' })
    life.defer(() => void haproxy.kill('SIGKILL'))
    await vi.waitFor(() => reach(port), 10_000)
    balancer = `http://127.0.0.1:${port}`
  })
  afterAll(() => life.disposeAsync())

  test('accepts its configuration', () => {
    const { status, output } = run('haproxy', '-c', '-f', join(deploy, 'haproxy.cfg'))
    expect(status).toBe(0)
    const warnings = output.split('\n').filter((line) => line.includes('[WARNING]'))
    // The host exists only in the network of compose.yaml.
    expect(warnings.filter((line) => !line.includes(`resolve address 'flightdeck'`))).toEqual([])
  })

  test.each([
    [502, '/api/v1/cut'],
    [504, '/api/v1/hang?q=%22x'],
    [503, '/api/v1/campaigns/%22x'],
  ])('answers %i like the service: with a problem marked as transient', async (status, path) => {
    if (status === 503) readiness = 503
    const reply = await vi.waitFor(async () => {
      const reply = await fetch(balancer + path)
      expect(reply.status).toBe(status)
      return reply
    }, 10_000)
    const { headers } = reply
    expect({
      type: headers.get('content-type'),
      retryAfter: headers.get('retry-after'),
      cacheControl: headers.get('cache-control'),
    }).toEqual({ type: 'application/problem+json', retryAfter: '1', cacheControl: 'no-store' })
    const [instance = ''] = path.split('?')
    const requestId = headers.get('x-request-id') ?? ''
    const own = documentOf(retryLater('unavailable'), { instance, requestId })
    const { title, detail, ...problem } = (await reply.json()) as Record<string, unknown>
    const { title: _, detail: __, ...expected } = { ...own, status }
    expect([typeof title, typeof detail]).toEqual(['string', 'string'])
    expect(problem).toEqual(expected)
    expect(requestId).toHaveLength(newId('request').length)
  })
})

async function reach(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
}
