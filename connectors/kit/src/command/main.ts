import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { text as textOf } from 'node:stream/consumers'
import { createFlightdeck } from '@flightdeckhq/sdk'
import type { Backfill } from '../account/backfill.ts'
import { openProgress } from '../account/progress.ts'
import type { Adapter } from '../contract/adapter.ts'
import { readSecret, type SecretSource } from '../network/credentials.ts'
import { type Log, openLog, said } from '../telemetry/log.ts'
import { type Metrics, openMetrics } from '../telemetry/metrics.ts'
import { serveStatus } from '../telemetry/status-server.ts'
import { openTranscript } from '../telemetry/transcript.ts'
import { type ConnectOptions, OptionFaults, type OwnOptions, optionsOf, usage } from './options.ts'
import { checkConnector, type RunnerOptions, runConnector, runOnce } from './runner.ts'

/** A network that can be connected from the command line. */
export type Network = {
  name: string
  options: OwnOptions
  /** How often an account is read, where the operator does not say; left out: once a minute. */
  pollSeconds?: number
  /** Opens its adapter; `credential` is used where the operator names no source of credentials. */
  open(options: ConnectOptions['own']): Promise<OpenNetwork>
}

export type OpenNetwork = {
  adapter: Adapter
  credential?: string
  close?(): Promise<void>
}

const exits = { done: 0, failed: 1, misused: 2, differs: 3 } as const

/** Runs a connector as the arguments say, and answers the exit code. */
export async function main(network: Network, args: readonly string[]): Promise<number> {
  try {
    const options = optionsOf(args, network.options, network.pollSeconds)
    if (options === null) {
      process.stdout.write(usage(network.name, network.options, network.pollSeconds))
      return exits.done
    }
    return await connect(network, options)
  } catch (error) {
    const lines = error instanceof OptionFaults ? error.faults : [said(error)]
    for (const line of lines) process.stderr.write(`flightdeck connect: ${line}\n`)
    return error instanceof OptionFaults ? exits.misused : exits.failed
  }
}

async function connect(network: Network, options: ConnectOptions): Promise<number> {
  const key = await keyOf(options.key)
  const open = await network.open(options.own)
  const transcript = openTranscript(options.transcript)
  try {
    const log = openLog()
    const metrics = openMetrics()
    const runner: RunnerOptions = {
      flightdeck: createFlightdeck({ baseUrl: options.api, token: key }),
      adapter: open.adapter,
      instance: `${hostname().slice(0, 20)}-${process.pid}-${randomUUID().slice(0, 8)}`,
      profileIds: options.profileIds,
      readCredential: (of) => credentialOf(options.credentials, open, of),
      ceilings: options.ceilings,
      pollMs: options.pollMs,
      resultsMs: options.resultsMs,
      backfill: await backfillOf(options),
      onExchange: transcript.write,
      log,
      metrics,
    }
    if (options.mode === 'once') return await once(runner, options)
    if (options.mode === 'check') return await check(runner, options)
    await runUntilStopped(runner, { port: options.metricsPort, log, metrics })
    return exits.done
  } finally {
    await transcript.close()
    await open.close?.()
  }
}

/** An account’s quota is not spent at once, and work goes before. */
const backfillStepMs = 15_000

const backfillOf = async ({ backfill }: ConnectOptions): Promise<Backfill | null> =>
  backfill && {
    months: backfill.months,
    progress: await openProgress(backfill.path),
    stepMs: backfillStepMs,
  }

const keyOf = async (source: SecretSource | 'stdin') =>
  source === 'stdin' ? (await textOf(process.stdin)).trim() : readSecret(source)

function credentialOf(
  source: SecretSource | null,
  { credential }: OpenNetwork,
  of: Parameters<typeof readSecret>[1],
): Promise<string> {
  if (source !== null) return readSecret(source, of)
  if (credential !== undefined) return Promise.resolve(credential)
  return Promise.reject(new Error('--credentials says where it is'))
}

type Running = { port: number | null; log: Log; metrics: Metrics }

async function runUntilStopped(
  runner: RunnerOptions,
  { port, log, metrics }: Running,
): Promise<void> {
  const stop = new AbortController()
  let isHeld = false
  const signals = ['SIGTERM', 'SIGINT'] as const
  const end = () => {
    log.info('stopping: what is being written is brought to its end')
    stop.abort()
  }
  for (const signal of signals) process.once(signal, end)
  const status = port === null ? null : await serveStatus(port, { metrics, isReady: () => isHeld })
  if (status) log.info('metrics are served', { url: status.url })
  const onHeld = (held: boolean) => {
    isHeld = held
  }
  try {
    await runConnector({ ...runner, onHeld }, stop.signal)
    log.info('stopped')
  } finally {
    await status?.close()
    for (const signal of signals) process.off(signal, end)
  }
}

async function once(runner: RunnerOptions, { json }: ConnectOptions): Promise<number> {
  const { sent, faults } = await runOnce(runner)
  const last = new Map(sent.map((each) => [each.deployment_id, each]))
  const differing = [...last.values()].filter(
    ({ state }) => state !== 'in_sync' && state !== 'removed',
  )
  const lines = [
    ...faults.map(({ profile_id, fault }) => `${profile_id}: ${fault}`),
    ...differing.map(({ deployment_id, state }) => `${deployment_id}: ${state ?? 'refused'}`),
  ]
  const deployments = [...last.values()]
  print(json, { faults, deployments }, [
    ...lines,
    `${last.size} ${last.size === 1 ? 'deployment' : 'deployments'} had work`,
  ])
  return lines.length === 0 ? exits.done : exits.differs
}

async function check(runner: RunnerOptions, { json }: ConnectOptions): Promise<number> {
  const { findings, refused } = await checkConnector(runner)
  const lines = refused.map(
    ({ deployment_id, outcome, error }) => `${deployment_id}: ${error?.message ?? outcome}`,
  )
  const isWhole = refused.length === 0 && findings.every(({ fix }) => fix === null)
  print(json, { findings, refused }, [
    ...findings.map(({ what, fix }) =>
      fix === null ? `works    ${what}` : `missing  ${what}: ${fix}`,
    ),
    ...(isWhole ? ['No deployment would be refused.'] : lines),
  ])
  return isWhole ? exits.done : exits.differs
}

function print(json: boolean, value: object, lines: readonly string[]): void {
  process.stdout.write(
    json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''),
  )
}
