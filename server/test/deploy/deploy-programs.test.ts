import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { documentOf } from '../../src/problems/document.ts'
import { retryLater } from '../../src/problems/problem.ts'
import { requestIds } from '../../src/values/core-ids.ts'
import { newId } from '../../src/values/ids.ts'
import { freePort } from '../support/machines/ports.ts'
import { isInstalled, runProgram } from '../support/machines/programs.ts'
import { rulesFile, type Samples, unexpectedAlerts } from '../support/machines/promtool.ts'

// Checks the files of deploy/ with the programs that read them, where those are installed.
const deploy = join(import.meta.dirname, '../../../deploy')
const dir = mkdtempSync(join(tmpdir(), 'flightdeck-deploy-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const read = (name: string) => readFileSync(join(deploy, name), 'utf8')

function written(name: string, text: string): string {
  const path = join(dir, name)
  writeFileSync(path, text)
  return path
}

describe.skipIf(!isInstalled('systemd-analyze'))('systemd', () => {
  test.each([
    ['as it is', (unit: string) => unit],
    ['with its credentials', (unit: string) => unit.replaceAll(/^#(?=LoadC|Env)/gm, '')],
  ])('accepts the unit %s', (_, edit) => {
    const path = '/opt/flightdeck/node_modules/.bin/node'
    const unit = edit(read('flightdeck.service').replace(path, process.execPath))
    const { status, output } = runProgram(
      'systemd-analyze',
      'verify',
      '--man=no',
      written('flightdeck.service', unit),
    )
    expect([status, output]).toEqual([0, ''])
  })
})

test('each credential of the unit is the file of a setting', () => {
  const unit = read('flightdeck.service')
  const loaded = [...unit.matchAll(/^#LoadCredential=([a-z-]+):/gm)].map(([, name]) => String(name))
  const settings = loaded.map(
    (name) => `${name.replaceAll('-', '_').toUpperCase()}_FILE=%d/${name}`,
  )
  expect(loaded).toHaveLength(4)
  for (const each of settings) expect(unit).toContain(`\n#Environment=FLIGHTDECK_${each}\n`)
})

describe.skipIf(!isInstalled('promtool'))('Prometheus', () => {
  test('accepts the rules', () => {
    expect(runProgram('promtool', 'check', 'rules', rulesFile)).toMatchObject({ status: 0 })
  })

  const requests = (route: string, status: number) =>
    `flightdeck_http_requests_total{job="flightdeck",route="${route}",status="${status}"}`
  const jobs = (outcome: string) =>
    `flightdeck_jobs_total{job="flightdeck",queue="sessions.purge",outcome="${outcome}"}`
  const info = (role: string) => `flightdeck_info{job="flightdeck",role="${role}"}`
  const up = 'up{job="flightdeck",instance="a"}'
  const api = '/api/v1/campaigns/:id'
  const due = (work: string) => `flightdeck_due_oldest_seconds{job="flightdeck",work="${work}"}`
  const done = (work: string) =>
    `flightdeck_work_last_success_timestamp_seconds{job="flightdeck",work="${work}"}`
  const writes = 'flightdeck_writes_failing{job="flightdeck",instance="a"}'
  const chains = 'flightdeck_audit_chain_broken{job="flightdeck"}'
  const [polled, rare] = [done('change_sets'), done('checkpoints')]
  const version = (version: string) =>
    `flightdeck_info{job="flightdeck",role="all",instance="${version}",version="${version}"}`

  const ready = (instance: string) => `flightdeck_ready{job="flightdeck",instance="${instance}"}`
  const role = (instance: string, role: string) =>
    `flightdeck_info{job="flightdeck",instance="${instance}",role="${role}"}`
  const one = { [ready('a')]: '1x60', [role('a', 'all')]: '1x60', [role('b', 'all')]: '1x60' }
  const worker = { [ready('a')]: '1x60', [role('a', 'worker')]: '1x60', [role('b', 'api')]: '1x60' }
  const fallback = 'flightdeck_limits_fallback{job="flightdeck",instance="a"}'
  const failing = 'flightdeck_proxies_failing{job="flightdeck",instance="a"}'

  const stalled = 'flightdeck_webhook_endpoints_stalled{job="flightdeck",instance="a"}'

  /** The state of an alert after half an hour of these samples, one a minute. */
  test.each<[string, string, Samples, boolean]>([
    ['no instance is known', 'FlightdeckGone', {}, true],
    ['no instance answers', 'FlightdeckGone', { [up]: '0x60' }, true],
    ['one instance answers', 'FlightdeckGone', { [up]: '1x60' }, false],
    ['only api answers', 'FlightdeckNoWorker', { [info('api')]: '1x60' }, true],
    ['a worker answers', 'FlightdeckNoWorker', { [info('worker')]: '1x60' }, false],
    ['one process does all', 'FlightdeckNoWorker', { [info('all')]: '1x60' }, false],
    [
      'one of two replicas is not ready',
      'FlightdeckNotReady',
      { ...one, [ready('b')]: '0x60' },
      true,
    ],
    [
      'one of two replicas is ready',
      'FlightdeckNoneReady',
      { ...one, [ready('b')]: '0x60' },
      false,
    ],
    ['only a worker is ready', 'FlightdeckNoneReady', { ...worker, [ready('b')]: '0x60' }, true],
    ['a replica has begun to drain', 'FlightdeckNotReady', { [ready('a')]: '1x29 0x60' }, false],
    ['Redis is away', 'FlightdeckRedisFallback', { [fallback]: '0x20 1x60' }, true],
    ['Redis is new', 'FlightdeckRedisFallback', { [fallback]: '0x27 1 1 0x60' }, false],
    ['a proxy fails', 'FlightdeckProxiesFailing', { [failing]: '1x60' }, true],
    ['no proxy fails', 'FlightdeckProxiesFailing', { [failing]: '0x60' }, false],
    ['an endpoint is stalled', 'FlightdeckDeliveriesStalled', { [stalled]: '0x20 1x60' }, true],
    ['a stall has just begun', 'FlightdeckDeliveriesStalled', { [stalled]: '0x29 1x60' }, false],
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
    [
      'a campaign starts in time',
      'FlightdeckStartsLate',
      { [due('campaign_starts')]: '59x60' },
      false,
    ],
    ['a campaign starts late', 'FlightdeckStartsLate', { [due('campaign_starts')]: '61x60' }, true],
    ['a campaign ends late', 'FlightdeckEndsLate', { [due('campaign_ends')]: '61x60' }, true],
    ['only ends are late', 'FlightdeckStartsLate', { [due('campaign_ends')]: '61x60' }, false],
    ['a change set is late', 'FlightdeckChangeSetsLate', { [due('change_sets')]: '61x60' }, true],
    ['midnight takes ten minutes', 'FlightdeckPacingLate', { [due('pacing')]: '600x60' }, false],
    ['pacing is late', 'FlightdeckPacingLate', { [due('pacing')]: '901x60' }, true],
    ['the disk is full', 'FlightdeckWritesFail', { [writes]: '1x60' }, true],
    ['writes succeed', 'FlightdeckWritesFail', { [writes]: '0x60' }, false],
    ['an audit chain is broken', 'FlightdeckAuditChainBroken', { [chains]: '1x60' }, true],
    ['all audit chains are whole', 'FlightdeckAuditChainBroken', { [chains]: '0x60' }, false],
    [
      'a night was missed',
      'FlightdeckVerificationLate',
      { [due('verification')]: '43201x60' },
      true,
    ],
    ['partitions are late', 'FlightdeckPartitionsLate', { [due('partitions')]: '21601x60' }, true],
    ['no process has polled for half an hour', 'FlightdeckWorkStuck', { [polled]: '0x60' }, true],
    ['one polls', 'FlightdeckWorkStuck', { [polled]: '0+60x60' }, false],
    ['a rare job was done long ago', 'FlightdeckWorkStuck', { [rare]: '0x60' }, false],
    [
      'two versions run',
      'FlightdeckVersionsDiffer',
      { [version('1')]: '1x60', [version('2')]: '1x60' },
      true,
    ],
    [
      'an upgrade takes minutes',
      'FlightdeckVersionsDiffer',
      { [version('1')]: '1x60', [version('2')]: '_x20 1x60' },
      false,
    ],
    ['one version runs', 'FlightdeckVersionsDiffer', { [version('1')]: '1x60' }, false],
  ])('when %s, %s fires as expected', (_, alert, samples, fires) => {
    const alerts = [{ alert, at: '30m', fires }]
    expect(unexpectedAlerts({ samples, interval: '1m', alerts })).toBe('')
  })
})

describe.skipIf(!isInstalled('promtool'))('alerts on what is long ago', () => {
  const success = (task: string) =>
    `flightdeck_task_last_success_timestamp_seconds{job="flightdeck",task="${task}"}`

  // promtool's time begins at the epoch, and so does what last succeeded.
  test.each([
    ['backup.create', 'FlightdeckBackupOld', 36],
    ['backup.verified', 'FlightdeckBackupUnverified', 8 * 24],
    ['audit-logs.checkpoint', 'FlightdeckCheckpointsOld', 3],
  ])('fires for %s after its time, and not before', (task, alert, hours) => {
    const samples = { [success(task)]: '0x1400' }
    const alerts = [
      { alert, at: `${hours}h`, fires: false },
      { alert, at: `${hours + 1}h`, fires: true },
    ]
    expect(unexpectedAlerts({ samples, interval: '10m', alerts })).toBe('')
  })

  test('fires for an hour when an endpoint is disabled', () => {
    const samples = {
      'flightdeck_webhook_endpoints_given_up{job="flightdeck"}': '3x18 4x60',
    }
    const alert = 'FlightdeckEndpointsGivenUp'
    const alerts = [
      { alert, at: '120m', fires: false },
      { alert, at: '210m', fires: true },
      { alert, at: '300m', fires: false },
    ]
    expect(unexpectedAlerts({ samples, interval: '10m', alerts })).toBe('')
  })
})

describe.skipIf(!isInstalled('haproxy'))('HAProxy', () => {
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
    await vi.waitFor(() => reach(port), 20_000)
    balancer = `http://127.0.0.1:${port}`
  })
  afterAll(() => life.disposeAsync())

  test('accepts its configuration', () => {
    const { status, output } = runProgram('haproxy', '-c', '-f', join(deploy, 'haproxy.cfg'))
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
    }, 20_000)
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
    expect(requestId).toHaveLength(newId(requestIds).length)
  })
})

async function reach(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
}
