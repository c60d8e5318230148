import { execFile } from 'node:child_process'
import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

/**
 * The place that a secret comes from: `env:NAME`, `file:PATH` (mode 0600), `file:DIRECTORY/` (a file for each
 * account), `exec:PROGRAM ARGUMENTS` (its output). The operator alone says so: what the service knows
 * of an account is only ever a name in it.
 */
export type SecretSource = { kind: 'env' | 'file' | 'exec'; value: string }

export function secretSourceOf(text: string): SecretSource {
  const [, kind, value] = /^(env|file|exec):(.+)$/s.exec(text) ?? []
  if (value && (kind === 'env' || kind === 'file' || kind === 'exec')) return { kind, value }
  throw new Error('must be env:NAME, file:PATH or exec:PROGRAM')
}

/** The account that the secret is for. */
export type SecretOf = { accountRef: string; credentialRef: string | null }

export async function readSecret(
  { kind, value }: SecretSource,
  of: SecretOf | null = null,
): Promise<string> {
  const text =
    kind === 'env' ? envOf(value) : await (kind === 'file' ? fileOf : outputOf)(value, of)
  const secret = text.trim()
  if (secret === '') throw new Error(`${kind}:${value} is empty`)
  return secret
}

function envOf(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`env:${name} is not set`)
  return value
}

const mostBytes = 64 * 1024
const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

async function fileOf(path: string, of: SecretOf | null): Promise<string> {
  const file = await open(path.endsWith('/') ? join(path, nameOf(of)) : path)
  try {
    const { mode, size } = await file.stat()
    if ((mode & 0o077) !== 0) throw new Error(`file:${path}: others may read it: chmod 600`)
    if (size > mostBytes) throw new Error(`file:${path} is too large`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** The name of an account's file: its credential reference, or its id. It cannot lead elsewhere. */
function nameOf(of: SecretOf | null): string {
  const name = of?.credentialRef ?? of?.accountRef ?? ''
  if (!plainName.test(name) || basename(name) !== name)
    throw new Error('the credential reference is not the name of a file')
  return name
}

const run = promisify(execFile)

/** Runs without a shell; the account is in its environment. */
async function outputOf(command: string, of: SecretOf | null): Promise<string> {
  const [program = '', ...args] = command.split(' ').filter(Boolean)
  const { stdout } = await run(program, args, {
    timeout: 10_000,
    maxBuffer: mostBytes,
    env: {
      ...process.env,
      FLIGHTDECK_ACCOUNT_REF: of?.accountRef ?? '',
      FLIGHTDECK_CREDENTIAL_REF: of?.credentialRef ?? '',
    },
  })
  return stdout
}
