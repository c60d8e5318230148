import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { amountOf, decimalOf } from '../contract/money.ts'
import { openBackoff } from '../lease/backoff.ts'
import { readSecret, secretSourceOf } from '../network/credentials.ts'
import { isLoopback } from '../network/loopback.ts'
import { redactionOf } from '../network/redact.ts'
import { OptionFaults, optionsOf } from './options.ts'

const faultsOf = (...args: string[]) => {
  try {
    optionsOf(args, {})
    return []
  } catch (error) {
    return error instanceof OptionFaults ? error.faults : [error]
  }
}

describe('options', () => {
  test('have defaults', () => {
    expect(optionsOf([], {})).toMatchObject({
      api: 'http://127.0.0.1:8080/api/v1',
      key: { kind: 'env', value: 'FLIGHTDECK_KEY' },
      pollMs: 60_000,
      resultsMs: 3_600_000,
      ceilings: null,
      mode: 'run',
    })
  })

  test('are refused all at once', () => {
    const args = ['--api', 'x', '--poll-seconds', '0', '--max-daily', 'USD', '--profile', 'cmp_1']
    expect(
      faultsOf(...args, '--once', '--check').map((each) => String(each).split(' ')[0]),
    ).toEqual(['--once', '--api', '--profile', '--poll-seconds', '--max-daily'])
    expect(faultsOf('--unknown')).toHaveLength(1)
  })
})

describe('amounts', () => {
  test.each([
    ['USD=500', ['USD', 50_000]],
    ['USD=0.05', ['USD', 5]],
    ['JPY=500', ['JPY', 500]],
  ])('%s', (text, amount) => expect(amountOf(text)).toEqual(amount))

  test.each(['USD', 'usd=1', 'JPY=1.5', 'USD=1.234', 'USD=-1'])('%s is none', (text) =>
    expect(() => amountOf(text)).toThrow(),
  )

  test.each([
    [5, 'USD', '0.05'],
    [123_456, 'USD', '1234.56'],
    [500, 'JPY', '500'],
    [1, 'KWD', '0.001'],
  ])('%i %s is %s', (minor, currency, text) => expect(decimalOf(minor, currency)).toBe(text))
})

describe('secrets', () => {
  let home: string
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'flightdeck-secrets-'))
  })
  afterAll(() => rm(home, { recursive: true }))

  test('come from a file that others cannot read', async () => {
    const path = join(home, 'token')
    await writeFile(path, 'secret\n', { mode: 0o600 })
    expect(await readSecret(secretSourceOf(`file:${path}`))).toBe('secret')
    await chmod(path, 0o640)
    await expect(readSecret(secretSourceOf(`file:${path}`))).rejects.toThrow('chmod 600')
  })

  test('of accounts come from their files, and names lead nowhere else', async () => {
    await writeFile(join(home, 'acme'), 'theirs', { mode: 0o600 })
    const source = secretSourceOf(`file:${home}/`)
    const read = (credentialRef: string) => readSecret(source, { accountRef: '1', credentialRef })
    expect(await read('acme')).toBe('theirs')
    for (const name of ['../token', '..', '/etc/passwd', 'exec:id', ''])
      await expect(read(name)).rejects.toThrow('not the name of a file')
  })

  test('come from a program without a shell, which hears of the account', async () => {
    const source = secretSourceOf('exec:/usr/bin/env')
    const text = await readSecret(source, { accountRef: '1; id', credentialRef: 'acme' })
    expect(text).toContain('FLIGHTDECK_ACCOUNT_REF=1; id')
    await expect(readSecret(secretSourceOf('exec:/usr/bin/false'))).rejects.toThrow()
  })

  test('are taken out of texts', () => {
    const redact = redactionOf(['token-1', 'token-12'])
    expect(redact('Bearer token-12, not token-1')).toBe('Bearer [redacted], not [redacted]')
  })
})

test.each([
  ['http://127.0.0.1:1/', true],
  ['http://[::1]:1/', true],
  ['http://localhost/', true],
  ['http://127.0.0.1.example.com/', false],
  ['http://10.0.0.1/', false],
  ['http://[::ffff:10.0.0.1]/', false],
])('%s is this machine: %s', (address, is) => expect(isLoopback(address)).toBe(is))

test('waits double, differ, and end at an hour', () => {
  const backoff = openBackoff(() => 1)
  const waits = Array.from({ length: 12 }, () => backoff.next('a'))
  expect(waits.slice(0, 3)).toEqual([5_000, 10_000, 20_000])
  expect(waits.at(-1)).toBe(3_600_000)
  expect(openBackoff(() => 0).next('a')).toBe(2_500)
  backoff.forget('a')
  expect(backoff.next('a')).toBe(5_000)
})
