import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig, secretSettings } from './config.ts'
import { ConfigError } from './config-error.ts'

let dir: string

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'flightdeck-secrets-'))
})
afterAll(() => rmSync(dir, { recursive: true }))

/** A file with this text. */
function file(name: string, text: string): string {
  const path = join(dir, name)
  writeFileSync(path, text)
  return path
}

function faultsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

const key = Buffer.alloc(32, 7).toString('base64')

test('every secret setting may be a file, whose last line may end', () => {
  const config = readConfig({
    FLIGHTDECK_DATABASE_URL_FILE: file('database', 'postgres://u:p@db/f\n'),
    FLIGHTDECK_REDIS_URL_FILE: file('redis', 'redis://:p@redis:6379'),
    FLIGHTDECK_ADMIN_EMAIL: 'ann@example.com',
    FLIGHTDECK_ADMIN_PASSWORD_FILE: file('password', 'correct horse battery staple\r\n'),
    FLIGHTDECK_METRICS_TOKEN_FILE: file('token', 'scrape-me\n'),
    FLIGHTDECK_MASTER_KEY_FILE: file('key', `${key}\n`),
  })
  expect(config).toMatchObject({
    databaseUrl: 'postgres://u:p@db/f',
    redisUrl: 'redis://:p@redis:6379',
    admin: { email: 'ann@example.com', password: 'correct horse battery staple' },
    metricsToken: 'scrape-me',
    masterKey: key,
  })
  for (const name of secretSettings) {
    expect(faultsOf({ [`FLIGHTDECK_${name}_FILE`]: join(dir, 'none') })).toEqual([
      `FLIGHTDECK_${name}_FILE: the file cannot be read (ENOENT)`,
    ])
  }
})

test('a setting that is no secret has no file', () => {
  expect(faultsOf({ FLIGHTDECK_PORT_FILE: file('port', '80') })).toEqual([
    'FLIGHTDECK_PORT_FILE: is not a setting',
  ])
})

test('a value and its file exclude each other; an empty variable is none', () => {
  const FLIGHTDECK_MASTER_KEY_FILE = file('key', key)
  expect(faultsOf({ FLIGHTDECK_MASTER_KEY: key, FLIGHTDECK_MASTER_KEY_FILE })).toEqual([
    'FLIGHTDECK_MASTER_KEY_FILE: cannot go with FLIGHTDECK_MASTER_KEY: give one',
  ])
  expect(readConfig({ FLIGHTDECK_MASTER_KEY: '', FLIGHTDECK_MASTER_KEY_FILE }).masterKey).toBe(key)
  expect(readConfig({ FLIGHTDECK_MASTER_KEY_FILE: '' }).masterKey).toBe(null)
})

test('a fault of a file names neither what is in it, nor what was given in its place', () => {
  const faults = faultsOf({
    FLIGHTDECK_MASTER_KEY_FILE: file('short', 'hush-hush'),
    FLIGHTDECK_REDIS_URL_FILE: 'redis://:hush-hush@redis',
    FLIGHTDECK_DATABASE_URL_FILE: file('empty', ' \n'),
    FLIGHTDECK_METRICS_TOKEN_FILE: file('large', 'hush'.repeat(20_000)),
    FLIGHTDECK_ADMIN_PASSWORD_FILE: dir,
  })
  expect(faults).toEqual([
    'FLIGHTDECK_ADMIN_PASSWORD_FILE: the file cannot be read (EISDIR)',
    'FLIGHTDECK_DATABASE_URL_FILE: the file is empty',
    'FLIGHTDECK_METRICS_TOKEN_FILE: the file has more than 65536 bytes',
    'FLIGHTDECK_REDIS_URL_FILE: the file cannot be read (ENOENT)',
    'FLIGHTDECK_MASTER_KEY: must be 32 bytes in base64',
  ])
})

test('a pipe may hold a secret', () => {
  const pipe = join(dir, 'pipe')
  execFileSync('sh', ['-c', `mkfifo ${pipe} && (printf scrape-me > ${pipe} &)`], {
    stdio: 'ignore',
  })
  expect(readConfig({ FLIGHTDECK_METRICS_TOKEN_FILE: pipe }).metricsToken).toBe('scrape-me')
})
