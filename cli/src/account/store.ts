import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The services that one works with, by name. */
export type Contexts = {
  current: string | null
  contexts: Record<string, { url: string; email?: string }>
}

/** A credential; `expires_at` is null for an API key. */
export type Stored = { token: string; expires_at: string | null }

export function directory(): string {
  const { FLIGHTDECK_CONFIG_DIR, XDG_CONFIG_HOME, APPDATA } = process.env
  const base = process.platform === 'win32' ? APPDATA : XDG_CONFIG_HOME
  return FLIGHTDECK_CONFIG_DIR || join(base || join(homedir(), '.config'), 'flightdeck')
}

export const readContexts = (): Promise<Contexts> =>
  readJson('contexts.json', { current: null, contexts: {} })

export const writeContexts = (contexts: Contexts) => writeJson('contexts.json', contexts)

/** The keychain of the system, where its package is installed. */
async function keychain() {
  const name = '@napi-rs/keyring'
  try {
    const { AsyncEntry } = await import(name)
    return (context: string) => new AsyncEntry('flightdeck', context)
  } catch {
    return null
  }
}

export async function readToken(context: string): Promise<Stored | null> {
  const entryOf = await keychain()
  const kept = await entryOf?.(context).getPassword()
  if (kept) return JSON.parse(kept)
  return (await readJson<Record<string, Stored>>('tokens.json', {}))[context] ?? null
}

/** Answers where it was stored. Null removes it. */
export async function writeToken(
  context: string,
  stored: Stored | null,
): Promise<'keychain' | 'file'> {
  const entryOf = await keychain()
  if (entryOf) {
    if (stored) await entryOf(context).setPassword(JSON.stringify(stored))
    else await entryOf(context).deletePassword()
    return 'keychain'
  }
  const { [context]: _, ...others } = await readJson<Record<string, Stored>>('tokens.json', {})
  await writeJson('tokens.json', stored ? { ...others, [context]: stored } : others)
  return 'file'
}

async function readJson<Value>(name: string, otherwise: Value): Promise<Value> {
  const text = await readFile(join(directory(), name), 'utf8').catch(() => null)
  if (text === null) return otherwise
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${join(directory(), name)} is not JSON: mend it, or delete it.`)
  }
}

/** Whole or not at all, and for its owner alone. */
async function writeJson(name: string, value: unknown): Promise<void> {
  await mkdir(directory(), { recursive: true, mode: 0o700 })
  const path = join(directory(), name)
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  await chmod(unfinished, 0o600)
  await rename(unfinished, path)
}
