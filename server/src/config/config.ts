import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { maxEmailLength } from '../values/email.ts'
import { errorMessage } from '../values/errors.ts'
import { nearestName } from '../values/nearest-name.ts'
import { keysOf, recordOf } from '../values/objects.ts'
import { passwordFaults } from '../values/password-rules.ts'
import { type Plan, plans } from '../values/plans.ts'
import { trimEnd } from '../values/trim-end.ts'
import { type CapName, defaultCaps } from './caps.ts'
import { ConfigError } from './config-error.ts'
import { type Environment, prefix } from './environment.ts'
import { type MailSettings, mailSender, smtpUrl } from './mail-settings.ts'
import { defaultPlanStorage, readPlanStorage } from './plan-storage.ts'
import { fileNameOf, readSecretFiles } from './secret-files.ts'
import { type TraceSettings, traceSettings } from './trace-settings.ts'

type Setting<T> = { fallback: string; about: string; read: (text: string) => T }

const setting = <T>(fallback: string, about: string, read: (text: string) => T): Setting<T> => ({
  fallback,
  about,
  read,
})

const text = (value: string) => value
const optional = (value: string) => (value === '' ? null : value)
const list = (value: string) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const wholeNumber = (least: number, most: number) => (value: string) => {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < least || number > most) {
    throw new Error(`must be a whole number from ${least} to ${most}`)
  }
  return number
}

const oneOf =
  <T extends string>(...choices: T[]) =>
  (value: string): T => {
    const found = choices.find((choice) => choice === value)
    if (!found) throw new Error(`must be one of ${choices.join(', ')}`)
    return found
  }

const flag = (value: string) => oneOf('true', 'false')(value) === 'true'

const webUrl = (value: string) => {
  if (!/^https?:$/.test(new URL(value).protocol)) throw new Error('must be an http or https URL')
  return value
}

const origin = (value: string) => (value === '' ? null : trimEnd(webUrl(value), '/'))

/** In the form browsers send in `Origin`: lower case, without the scheme's default port. */
const origins = (value: string) =>
  list(value).map((part) => {
    if (part === '*') return part
    if (!/^[a-z][a-z\d+.-]*:\/\/[^/?#@*\s]+$/i.test(part) || !URL.canParse(part)) {
      throw new Error(`${part} is neither * nor an origin such as https://app.example.com`)
    }
    const { origin } = new URL(part)
    return origin === 'null' ? part.toLowerCase() : origin
  })

const subnets = (value: string) =>
  list(value).map((part) => {
    if (!ipaddr.isValid(part) && !ipaddr.isValidCIDR(part)) {
      throw new Error(`${part} is neither an address nor a subnet such as 10.0.0.0/8`)
    }
    return part
  })

/** `name=number` pairs. */
const pairs =
  <Name extends string>(readName: (name: string) => Name) =>
  (value: string): [Name, number][] =>
    list(value).map((part) => {
      const [name = '', number = ''] = part.split('=').map((side) => side.trim())
      return [readName(name), wholeNumber(1, 1_000_000_000)(number)]
    })

/** A number for each of some names; those that are not given keep their defaults. */
function numbers<Name extends string>(defaults: Readonly<Record<Name, number>>, about: string) {
  const names = keysOf(defaults)
  const read = pairs(oneOf(...names))
  const fallback = names.map((name) => `${name}=${defaults[name]}`).join(',')
  return setting(fallback, about, (value) => {
    const given = new Map(read(value))
    return Object.freeze(recordOf(names, (name) => given.get(name) ?? defaults[name]))
  })
}

const amounts = (value: string): Readonly<Record<string, number>> =>
  Object.fromEntries(pairs(text)(value))

const secret32 = (value: string) => {
  if (value !== '' && Buffer.from(value, 'base64').length !== 32) {
    throw new Error('must be 32 bytes in base64')
  }
  return optional(value)
}

const databaseUrl = (value: string) => {
  if (value !== '' && !/^postgres(ql)?:\/\//.test(value)) {
    throw new Error('must be a URL that starts with postgres:// or postgresql://')
  }
  return optional(value)
}

const redisUrl = (value: string) => {
  if (value !== '' && !(/^rediss?:\/\/./.test(value) && URL.canParse(value))) {
    throw new Error('must be a URL that starts with redis:// or rediss://')
  }
  return optional(value)
}

const email = (value: string) => {
  if (value !== '' && (!/^[^\s@]+@[^\s@]+$/.test(value) || value.length > maxEmailLength)) {
    throw new Error('must be an email address')
  }
  return optional(value)
}

const newPassword = (value: string) => {
  const [fault] = value === '' ? [] : passwordFaults(value, '')
  if (fault) throw new Error(fault.message)
  return optional(value)
}

const plan = oneOf<Plan>(...plans)

const defaultPlanLimits = { free: 100, operator: 500, captain: 1000, zion: 1000 }
const defaultStreams = { organization: 100, process: 2000 }

/** Every setting, by its name without the prefix. */
export const settings = {
  HOST: setting('127.0.0.1', 'Address to listen on', text),
  PORT: setting('8080', 'Port to listen on', wholeNumber(0, 65_535)),
  DATA_DIR: setting('./data', 'Embedded database and keys', text),
  DATABASE_URL: setting('', 'Any PostgreSQL 15 or newer instead of the embedded one', databaseUrl),
  REDIS_URL: setting('', 'Redis or Valkey for rate limits shared by all processes', redisUrl),
  PUBLIC_URL: setting('', 'URL at which clients reach the service; issuer of its tokens', origin),
  ADMIN_EMAIL: setting('', 'Email of the first owner, at first start', email),
  ADMIN_PASSWORD: setting('', 'Password of the first owner, at first start', newPassword),
  ADMIN_PLAN: setting('zion', 'Plan of the first organization', plan),
  PLAN_LIMITS: numbers<Plan>(defaultPlanLimits, 'Requests per minute by plan'),
  PLAN_STORAGE: setting(
    defaultPlanStorage,
    'Maximum size of what an organization stores, by plan',
    readPlanStorage,
  ),
  CAPS: numbers<CapName>(defaultCaps, 'Maximum objects per organization'),
  EVENT_STREAMS: numbers(defaultStreams, 'Maximum open event streams per process'),
  MINIMUM_BUDGETS: setting('', 'Minimum budget by currency, in minor units: USD=100', amounts),
  TRUSTED_PROXIES: setting('', 'Peers whose X-Forwarded-For is trusted', subnets),
  CORS_ORIGINS: setting('', 'Origins allowed to call the API from a browser, or *', origins),
  EGRESS_ALLOW: setting(
    '',
    'Subnets that webhooks and proxies may reach, private or not, at any port',
    subnets,
  ),
  WEBHOOK_ALLOW_HTTP: setting('false', 'Accept http:// webhook endpoints (development)', flag),
  WEBHOOK_RETRY_SCHEDULE: setting(
    '5,300,1800,7200,18000,36000,50400,72000,86400',
    'Seconds before each retry of a webhook delivery',
    (value) => list(value).map(wholeNumber(1, 604_800)),
  ),
  SMTP_URL: setting(
    '',
    'Mail server, such as smtps://user:password@mail.example.com; nothing is mailed without one',
    smtpUrl,
  ),
  MAIL_FROM: setting('', 'Sender of mails: Flightdeck <flightdeck@example.com>', mailSender),
  PROXY_CHECK_URL: setting('https://example.com/', 'URL requested by proxy checks', webUrl),
  SIM: setting(
    'false',
    'Admit profiles and connectors of the simulated network outside of sandboxes too',
    flag,
  ),
  MCP: setting('true', 'Answer clients of the Model Context Protocol at /mcp', flag),
  METRICS_TOKEN: setting('', 'Bearer token for /metrics, which is disabled without one', optional),
  AUDIT_RETENTION_DAYS: setting(
    '400',
    'Age at which audit records are pruned',
    wholeNumber(1, 36_500),
  ),
  MASTER_KEY: setting('', 'Encrypts secrets at rest: 32 bytes, base64', secret32),
  LOG_LEVEL: setting(
    'info',
    'Minimum log level',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  ),
} as const

export type SettingName = keyof typeof settings

/** Never shown: each is or contains a password or key. */
export const secretSettings: readonly SettingName[] = [
  'ADMIN_PASSWORD',
  'DATABASE_URL',
  'MASTER_KEY',
  'METRICS_TOKEN',
  'REDIS_URL',
  'SMTP_URL',
]
type Values = { [Name in SettingName]: ReturnType<(typeof settings)[Name]['read']> }

export type Config = ReturnType<typeof shape>

/** Reads the environment once into a frozen object; throws with every fault. */
export function readConfig(given: Environment): Config {
  const { env, faults: ofFiles } = readSecretFiles(given, secretSettings)
  const faults = [...unknownNames(given), ...ofFiles]
  const values: Record<string, unknown> = {}
  for (const [name, { fallback, read }] of Object.entries(settings)) {
    try {
      values[name] = read(env[prefix + name]?.trim() || fallback)
    } catch (error) {
      faults.push(`${prefix}${name}: ${errorMessage(error)}`)
    }
  }
  if (env[`${prefix}ADMIN_PASSWORD`] && !env[`${prefix}ADMIN_EMAIL`]) {
    faults.push(`${prefix}ADMIN_PASSWORD: needs ${prefix}ADMIN_EMAIL`)
  }
  if (env[`${prefix}SMTP_URL`]) {
    // The links in mails are made from it alone.
    for (const name of ['MAIL_FROM', 'PUBLIC_URL'])
      if (!env[prefix + name]) faults.push(`${prefix}SMTP_URL: needs ${prefix}${name}`)
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return shape(values as Values, traceSettings(env))
}

/** Read by commands that are clients; ignored here. */
const clientNames = ['CONFIG_DIR', 'CONTEXT', 'TOKEN', 'TOKEN_FILE', 'URL']

function unknownNames(env: Environment): string[] {
  const known = [...Object.keys(settings), ...secretSettings.map(fileNameOf), ...clientNames]
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.includes(name.slice(prefix.length)))
    .map((name) => `${name}: is not a setting${suggestion(name.slice(prefix.length), known)}`)
}

const suggestion = (name: string, known: readonly string[]) => {
  const nearest = nearestName(name, known)
  return nearest ? `; did you mean ${prefix}${nearest}?` : ''
}

const shape = (values: Values, traces: TraceSettings | null) =>
  Object.freeze({
    host: values.HOST,
    port: values.PORT,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    /** Null where none is set: tokens are then issued in the installation's own name. */
    issuer: values.PUBLIC_URL,
    publicUrl: values.PUBLIC_URL ?? `http://${urlHost(values.HOST)}:${values.PORT}`,
    admin: { email: values.ADMIN_EMAIL, password: values.ADMIN_PASSWORD, plan: values.ADMIN_PLAN },
    planLimits: values.PLAN_LIMITS,
    planStorage: values.PLAN_STORAGE,
    caps: values.CAPS,
    eventStreams: values.EVENT_STREAMS,
    minimumBudgets: values.MINIMUM_BUDGETS,
    trustedProxies: values.TRUSTED_PROXIES,
    corsOrigins: values.CORS_ORIGINS,
    egressAllow: values.EGRESS_ALLOW,
    webhookAllowHttp: values.WEBHOOK_ALLOW_HTTP,
    webhookRetrySchedule: values.WEBHOOK_RETRY_SCHEDULE,
    mail: mailIn(values),
    proxyCheckUrl: values.PROXY_CHECK_URL,
    simulatedNetwork: values.SIM,
    mcp: values.MCP,
    metricsToken: values.METRICS_TOKEN,
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    masterKey: values.MASTER_KEY,
    logLevel: values.LOG_LEVEL,
    traces,
  })

const mailIn = ({ SMTP_URL: url, MAIL_FROM: from }: Values): MailSettings | null =>
  url !== null && from !== null ? { url, from } : null

const urlHost = (host: string) => (host.includes(':') ? `[${host}]` : host)
