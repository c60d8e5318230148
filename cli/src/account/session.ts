import { readFile } from 'node:fs/promises'
import { createFlightdeck, type Flightdeck } from '@flightdeckhq/sdk'
import type { Command } from 'commander'
import { NotLoggedIn, UsageError } from '../faults.ts'
import { readContexts, readToken, type Stored, writeToken } from './store.ts'

/** A service, and the name under which its credential is kept. */
export type Place = { url: string; context: string }

const usual = 'http://127.0.0.1:8080'
const apiPath = '/api/v1'

/** The service by `--url`, `FLIGHTDECK_URL`, or the context; else the one that `npm start` starts. */
export async function placeOf(command: Command): Promise<Place> {
  const given = rootOf(command).opts<{ url?: string; context?: string }>()
  const { current, contexts } = await readContexts()
  const name = given.context || process.env.FLIGHTDECK_CONTEXT || undefined
  if (name !== undefined && !contexts[name]) {
    throw new UsageError(`There is no context "${name}": flightdeck context list shows them.`)
  }
  const url =
    given.url ?? (name === undefined ? process.env.FLIGHTDECK_URL || undefined : undefined)
  if (url !== undefined) return { url: httpUrl(url), context: httpUrl(url) }
  const chosen = name ?? current
  const known = chosen === null ? undefined : contexts[chosen]
  return chosen !== null && known
    ? { url: known.url, context: chosen }
    : { url: usual, context: usual }
}

export const rootOf = (command: Command): Command =>
  command.parent ? rootOf(command.parent) : command

export function httpUrl(text: string, option = '--url'): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${option} must be an http or https URL, not "${text}".`)
  }
  const plain = text.replace(/\/+$/, '')
  return plain.endsWith(apiPath) ? plain.slice(0, -apiPath.length) : plain
}

export const clientAt = (url: string, token: string): Flightdeck =>
  createFlightdeck({ baseUrl: `${url}${apiPath}`, token, onResponse: sayIfLimited })

/** Waiting is the SDK's; without a word it would look as if nothing happened. */
function sayIfLimited({ status, headers }: Response): void {
  if (status !== 429) return
  const seconds = headers.get('retry-after') ?? '?'
  process.stderr.write(`flightdeck: Over the rate limit: the service asks to wait ${seconds} s.\n`)
}

/** The client of the service that a command is about. */
export async function clientOf(command: Command): Promise<{ client: Flightdeck; url: string }> {
  const { url, context } = await placeOf(command)
  const token = (await givenToken()) || (await keptToken({ url, context }))
  return { client: clientAt(url, token), url }
}

/** As a file, a secret is in no list of processes, nor in what they inherit. */
async function givenToken(): Promise<string | undefined> {
  const { FLIGHTDECK_TOKEN: token, FLIGHTDECK_TOKEN_FILE: file } = process.env
  if (token || !file) return token
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch {
    throw new UsageError(`FLIGHTDECK_TOKEN_FILE: ${file} cannot be read.`)
  }
}

async function keptToken(place: Place): Promise<string> {
  const stored = await readToken(place.context)
  if (!stored) {
    throw new NotLoggedIn(
      `You are not logged in to ${place.url}: flightdeck login, or set FLIGHTDECK_TOKEN.`,
    )
  }
  return stored.expires_at === null ? stored.token : await renewed(place, stored)
}

const halfLifeMs = 12 * 3_600_000

/** A token in the second half of its life is renewed; where that fails, the former one is tried. */
async function renewed({ url, context }: Place, stored: Stored): Promise<string> {
  const msLeft = Date.parse(stored.expires_at ?? '') - Date.now()
  if (msLeft <= 0) throw new NotLoggedIn(`Your login at ${url} has ended: flightdeck login.`)
  if (msLeft > halfLifeMs) return stored.token
  try {
    const { token, expires_at } = await clientAt(url, stored.token).auth.refresh()
    if (!token) return stored.token
    await writeToken(context, { token, expires_at })
    return token
  } catch {
    return stored.token
  }
}
