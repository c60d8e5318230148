import { parseArgs } from 'node:util'
import type { Ceilings } from '../account/ceiling.ts'
import { amountOf } from '../contract/money.ts'
import { type SecretSource, secretSourceOf } from '../network/credentials.ts'

/** The options that all networks have. */

export type ConnectOptions = {
  api: string
  key: SecretSource | 'stdin'
  profileIds: string[]
  credentials: SecretSource | null
  pollMs: number
  resultsMs: number
  /** Results of months ago, and the file that keeps how far they were sent; null: none. */
  backfill: { path: string; months: number } | null
  ceilings: Ceilings
  metricsPort: number | null
  mode: 'run' | 'once' | 'check'
  json: boolean
  /** A file for what is asked and answered. */
  transcript: string | null
  /** The options of the network itself. */
  own: Readonly<Record<string, string | undefined>>
}

/** Options that cannot be taken, one a line. */
export class OptionFaults extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** Options of one network; without a `value` they are flags. */
export type OwnOptions = Readonly<Record<string, { value?: string; about: string }>>

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

const common = {
  api: text,
  key: text,
  profile: { ...text, multiple: true },
  credentials: text,
  'poll-seconds': text,
  'results-minutes': text,
  backfill: text,
  'backfill-months': text,
  'max-daily': { ...text, multiple: true },
  'metrics-port': text,
  once: flag,
  check: flag,
  transcript: text,
  json: flag,
  help: flag,
} as const

const standardPollSeconds = 60

/** Reads the options; null where help is asked for. */
export function optionsOf(
  args: readonly string[],
  own: OwnOptions,
  pollSeconds = standardPollSeconds,
): ConnectOptions | null {
  const ownOptions = Object.entries(own).map(([name, { value }]) => [name, value ? text : flag])
  const options = { ...common, ...Object.fromEntries(ownOptions) }
  const values = parsed(args, options)
  if (values.help) return null
  const faults: string[] = []
  const read = <Value>(name: string, reading: () => Value, fallback: Value): Value => {
    try {
      return reading()
    } catch (error) {
      faults.push(`--${name} ${error instanceof Error ? error.message : error}`)
      return fallback
    }
  }
  if (values.once && values.check) faults.push('--once and --check exclude each other')
  const months = read('backfill-months', () => monthsOf(values), 0)
  const taken: ConnectOptions = {
    api: read('api', () => baseUrlOf(values.api ?? 'http://127.0.0.1:8080'), ''),
    key: read('key', () => keyOf(values.key ?? 'env:FLIGHTDECK_KEY'), 'stdin'),
    profileIds: read('profile', () => (values.profile ?? []).map(profileOf), []),
    credentials: read('credentials', () => sourceOf(values.credentials), null),
    pollMs:
      read('poll-seconds', () => whole(values['poll-seconds'] ?? `${pollSeconds}`, 1, 3_600), 60) *
      1_000,
    resultsMs:
      read('results-minutes', () => whole(values['results-minutes'] ?? '60', 1, 1_440), 60) *
      60_000,
    backfill: values.backfill === undefined ? null : { path: values.backfill, months },
    ceilings: read('max-daily', () => ceilingsOf(values['max-daily']), null),
    metricsPort: read('metrics-port', () => portOf(values['metrics-port']), null),
    mode: values.once ? 'once' : values.check ? 'check' : 'run',
    json: values.json ?? false,
    transcript: values.transcript ?? null,
    own: Object.fromEntries(Object.keys(own).map((name) => [name, ownText(values, name)])),
  }
  if (faults.length > 0) throw new OptionFaults(faults)
  return taken
}

function parsed(args: readonly string[], options: typeof common) {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values
  } catch (error) {
    throw new OptionFaults([error instanceof Error ? error.message : String(error)])
  }
}

function ownText(values: object, name: string): string | undefined {
  const value = Object.entries(values).find(([each]) => each === name)?.[1]
  return value === true ? 'true' : typeof value === 'string' ? value : undefined
}

function baseUrlOf(api: string): string {
  if (!URL.canParse(api) || !/^https?:$/.test(new URL(api).protocol))
    throw new Error('must be the address of the service, such as http://127.0.0.1:8080')
  const { origin, pathname } = new URL(api)
  return `${origin}${pathname === '/' ? '/api/v1' : pathname.replace(/\/$/, '')}`
}

const keyOf = (text: string) => (text === '-' ? 'stdin' : secretSourceOf(text))

const sourceOf = (text: string | undefined) => (text === undefined ? null : secretSourceOf(text))

function profileOf(id: string): string {
  if (!/^prf_[0-9a-z]{26}$/.test(id)) throw new Error(`${id} is no id of a profile`)
  return id
}

const mostMonths = 37

function monthsOf(values: { backfill?: string; 'backfill-months'?: string }): number {
  const { backfill, 'backfill-months': months = '13' } = values
  if (backfill === undefined && values['backfill-months'] !== undefined)
    throw new Error('needs --backfill')
  return whole(months, 1, mostMonths)
}

function whole(text: string, least: number, most: number): number {
  const number = Number(text)
  if (!/^\d{1,9}$/.test(text) || number < least || number > most)
    throw new Error(`must be a whole number from ${least} to ${most}`)
  return number
}

const portOf = (text: string | undefined) => (text === undefined ? null : whole(text, 0, 65_535))

function ceilingsOf(texts: readonly string[] | undefined): Ceilings {
  return texts === undefined ? null : new Map(texts.map(amountOf))
}

export const usage = (
  network: string,
  own: OwnOptions,
  pollSeconds = standardPollSeconds,
): string => `\
Usage: flightdeck connect ${network} [options]

  --api <address>         the service (default: http://127.0.0.1:8080)
  --key <source>          the connector's API key: env:NAME, file:PATH or - (default: env:FLIGHTDECK_KEY)
  --profile <id>          an account to hold; repeatable (default: all that the key may)
  --credentials <source>  env:NAME, file:PATH (0600), file:DIRECTORY/ or exec:PROGRAM
  --poll-seconds <n>      how often the account is read (default: ${pollSeconds})
  --results-minutes <n>   how often results are sent (default: 60)
  --backfill <file>       sends results of months ago too; the file keeps how far they were sent
  --backfill-months <n>   how many months (default: 13)
  --max-daily <amount>    most that may run a day in an account, such as USD=500; repeatable
  --metrics-port <port>   serves /metrics and /readyz on this machine
  --once                  one round, then the end: 0 all in sync, 3 differences or blocked
  --check                 reads, has the network judge, and writes nothing
  --transcript <path>     writes what the network is asked and answers, without credentials
  --json                  prints what a round came to as JSON
${Object.entries(own)
  .map(
    ([name, { value, about }]) =>
      `  ${`--${name}${value ? ` <${value}>` : ''}`.padEnd(24)}${about}\n`,
  )
  .join('')}`
