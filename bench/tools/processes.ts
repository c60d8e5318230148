import { type ChildProcess, fork, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFlightdeck, type Flightdeck } from '@flightdeckhq/sdk'
import type { DatabaseAddress } from '../../server/src/database/address.ts'

const root = join(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** The environment and arguments of `npm start`, memory settings included: `NAME=value exec node …`. */
const [startSetting = '', , , ...startArguments] = String(scripts.start).split(' ')
const startEnv = Object.fromEntries([startSetting.split('=')])

export type Running = { port: number; pid: number; readyMs: number; stop(): Promise<void> }

/** The real service, as `npm start` starts it, on a data directory of its own. */
export async function startService(
  dataDir: string,
  port: number,
  { env: more = {}, role = 'all' }: { env?: Record<string, string>; role?: string } = {},
): Promise<Running> {
  const begun = performance.now()
  const env = { ...process.env, ...startEnv, ...settings(dataDir, port), ...more }
  const words = [...startArguments, '--role', role]
  const child = spawn(process.execPath, words, { cwd: root, env, stdio: 'ignore' })
  await untilReady(port, child)
  const readyMs = performance.now() - begun
  return { port, pid: pidOf(child), readyMs, stop: () => end(child, () => child.kill('SIGTERM')) }
}

const login = { email: 'bench@example.com', password: 'correct horse battery staple' }

/** Runs on a service of its own, as the owner of an organization without caps. */
export async function asOwner(
  port: number,
  run: (owner: Flightdeck, dataDir: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  const env = {
    FLIGHTDECK_ADMIN_EMAIL: login.email,
    FLIGHTDECK_ADMIN_PASSWORD: login.password,
    FLIGHTDECK_PLAN_LIMITS: 'zion=1000000',
  }
  const dataDir = join(folder, 'data')
  const service = await startService(dataDir, port, { env })
  try {
    await run(createFlightdeck({ baseUrl: `http://127.0.0.1:${port}/api/v1`, login }), dataDir)
  } finally {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Limits and caps are on, but too high to affect the measurement. */
const settings = (dataDir: string, port: number) => ({
  FLIGHTDECK_DATA_DIR: dataDir,
  FLIGHTDECK_PORT: String(port),
  FLIGHTDECK_PLAN_LIMITS: 'zion=100000000',
  FLIGHTDECK_CAPS: 'campaigns=100000000,webhook_endpoints=21',
  FLIGHTDECK_WEBHOOK_ALLOW_HTTP: 'true',
  FLIGHTDECK_EGRESS_ALLOW: '127.0.0.0/8',
  FLIGHTDECK_LOG_LEVEL: 'error',
})

async function untilReady(port: number, child: ChildProcess): Promise<void> {
  for (let waited = 0; waited < 3000; waited += 1) {
    if (child.exitCode !== null) throw new Error('the service ended instead of starting')
    const reply = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (reply?.ok) return
    await sleep(10)
  }
  throw new Error('the service was not ready within 30 s')
}

/** The bare yardstick on the same database. */
export async function startYardstick(address: DatabaseAddress): Promise<Running> {
  const begun = performance.now()
  const child = fork(join(import.meta.dirname, 'yardstick.ts'), {
    env: { ...process.env, BENCH_ADDRESS: JSON.stringify(address) },
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { address: string }).address))
    child.once('exit', () => reject(new Error('the yardstick ended instead of starting')))
  })
  const port = Number(new URL(url).port)
  const stop = () => end(child, () => child.disconnect())
  return { port, pid: pidOf(child), readyMs: performance.now() - begun, stop }
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('the process did not start')
  return pid
}

function end(child: ChildProcess, stop: () => void): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    stop()
  })
}

/** CPU time so far, in milliseconds, in steps of 10. */
export function cpuMsOf(pid: number): number {
  const [user = 0, system = 0] = timesOf(pid)
  return (user + system) * 10
}

/** The same of a process and its children, those that have ended too. */
export function cpuMsWithChildren(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  const living = children.filter(Boolean).map((child) => cpuUnlessEnded(Number(child)))
  const own = timesOf(pid).slice(0, 4)
  return living.reduce((sum, each) => sum + each, sumOf(own) * 10)
}

/** A child may end between the two readings; its parent then has its time, or soon will. */
function cpuUnlessEnded(pid: number): number {
  try {
    return cpuMsOf(pid)
  } catch {
    return 0
  }
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0)

/** In hundredths of a second: user, system, and the same two of children that have ended. */
function timesOf(pid: number): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11).map(Number)
}

/** Resident memory in MB, as reported by the system. */
export function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
