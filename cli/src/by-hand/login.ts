import { createFlightdeck, FlightdeckError } from '@flightdeckhq/sdk'
import type { Command } from 'commander'
import { clientAt, clientOf, placeOf } from '../account/session.ts'
import {
  readContexts,
  readToken,
  type Stored,
  writeContexts,
  writeToken,
} from '../account/store.ts'
import { UsageError } from '../faults.ts'
import { printJson } from '../output/print.ts'
import { ask, readInput } from '../terminal.ts'
import { withCode } from './login-web.ts'

type Options = {
  email?: string
  password?: string
  otp?: string
  token?: string
  web?: boolean
}

/** Keeps a token of the service; passwords and keys come from the terminal or standard input only. */
export async function logIn(command: Command, options: Options): Promise<void> {
  for (const name of ['password', 'token'] as const) {
    if (options[name] !== undefined && options[name] !== '-') {
      throw new UsageError(
        `Give --${name} - and the secret on standard input: others can see arguments.`,
      )
    }
  }
  const others = [options.email, options.password, options.otp, options.token]
  if (options.web && others.some((each) => each !== undefined)) {
    throw new UsageError('--web asks in the console: leave the other options out.')
  }
  const place = await placeOf(command)
  const stored = await storedBy(place.url, options)
  const me = await clientAt(place.url, stored.token).auth.me()
  const where = await writeToken(place.context, stored)
  const { contexts } = await readContexts()
  await writeContexts({
    current: place.context,
    contexts: { ...contexts, [place.context]: { url: place.url } },
  })
  process.stderr.write(`You are logged in to ${place.url} as ${nameOf(me)}.\n`)
  if (where === 'file') {
    process.stderr.write(
      'The token is in a file that only you can read: this machine offers no keychain.\n',
    )
  }
}

async function storedBy(url: string, options: Options): Promise<Stored> {
  if (options.token) return { token: await secret(), expires_at: null }
  return options.web ? withCode(url) : withPassword(url, options)
}

async function withPassword(url: string, options: Options): Promise<Stored> {
  const email = options.email ?? (await ask('Email:'))
  const password = options.password ? await secret() : await ask('Password:', { isSecret: true })
  try {
    return await tokenFor(url, { email, password, ...(options.otp && { otp: options.otp }) })
  } catch (error) {
    if (
      !(error instanceof FlightdeckError) ||
      error.code !== 'second_factor_required' ||
      options.otp
    )
      throw error
    return await tokenFor(url, { email, password, otp: await ask('Code of your second factor:') })
  }
}

async function tokenFor(url: string, body: object): Promise<Stored> {
  const client = createFlightdeck({ baseUrl: `${url}/api/v1`, token: 'none' })
  const { token, expires_at } = await client.request<Stored>('POST', '/auth/login', { body })
  return { token, expires_at }
}

async function secret(): Promise<string> {
  const [line = ''] = (await readInput()).split(/\r?\n/)
  if (line === '') throw new UsageError('Standard input is empty.')
  return line
}

export async function logOut(command: Command): Promise<void> {
  const { url, context } = await placeOf(command)
  const stored = await readToken(context)
  if (!stored) throw new UsageError(`You are not logged in to ${url}.`)
  await writeToken(context, null)
  // An API key is no session: it stays.
  if (stored.expires_at !== null) await clientAt(url, stored.token).auth.logout()
  process.stderr.write(`You are logged out of ${url}.\n`)
}

export async function whoAmI(
  command: Command,
  { json = false }: { json?: boolean },
): Promise<void> {
  const { client, url } = await clientOf(command)
  const me = await client.auth.me()
  if (json) return printJson(me)
  process.stdout.write(`${nameOf(me)} at ${url}\n`)
}

/** A person by email, an API key by name. */
function nameOf(me: object): string {
  const {
    user,
    api_key: key,
    organization,
  } = me as Record<string, Record<string, string> | undefined>
  const who = user?.email ?? key?.name ?? 'unknown'
  return organization?.name ? `${who} of ${organization.name}` : who
}
