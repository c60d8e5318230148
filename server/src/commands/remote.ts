import { createFlightdeck, type Flightdeck, FlightdeckError } from '@flightdeckhq/sdk'
import { environment } from '../config/environment.ts'
import { readSecretFiles } from '../config/secret-files.ts'
import { errorCode, errorMessage } from '../values/errors.ts'
import { trimEnd } from '../values/trim-end.ts'
import { CommandError, type Given, UsageError } from './command.ts'

/** Commands that are clients of the HTTP API: the service may run anywhere, and they need no database. */

export type Credential = { token: string } | { email: string; password: string }

/** The service that is started with the same settings. */
export const ownUrl = () => `http://127.0.0.1:${environment().FLIGHTDECK_PORT || 8080}`
const apiPath = '/api/v1'

/** The URL of the service; that of its API is accepted too. */
export function urlIn({ option }: Given): string {
  const url = httpUrl('url', option('url') ?? ownUrl())
  return url.endsWith(apiPath) ? url.slice(0, -apiPath.length) : url
}

export const clientAt = (url: string, credential: Credential): Flightdeck =>
  createFlightdeck({
    baseUrl: `${url}${apiPath}`,
    ...('token' in credential ? credential : { login: credential }),
  })

/** Words an error of the client for a person. */
export function asCommandError(error: unknown, url: string): CommandError {
  if (!(error instanceof FlightdeckError)) {
    return new CommandError(`Nothing answers at ${url}: ${reasonOf(error)}.`)
  }
  const { code, status, problem } = error
  if (code === 'unknown') return new CommandError(`The service answers ${status}.`)
  return new CommandError(`${problem.detail} (${code})`)
}

/** The client and `fetch` put the actual error into the cause. */
export function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  return cause instanceof Error ? reasonOf(cause) : (errorCode(error) ?? errorMessage(error))
}

export function credentialIn({ option }: Given): Credential {
  const [email, password] = [option('email'), option('password')]
  const token = option('token') ?? givenToken()
  if (email !== undefined && password !== undefined) return { email, password }
  if (email !== undefined || password !== undefined) {
    throw new UsageError('Give --email and --password together.')
  }
  if (token) return { token }
  throw new UsageError('Give --token, or --email and --password, or set FLIGHTDECK_TOKEN.')
}

function givenToken(): string | undefined {
  const { env, faults } = readSecretFiles(environment(), ['TOKEN'])
  if (faults.length > 0) throw new UsageError(...faults.map((fault) => `${fault}.`))
  return env.FLIGHTDECK_TOKEN
}

export function httpUrl(name: string, text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol)) return trimEnd(text, '/')
  throw new UsageError(`--${name} must be an http or https URL, not "${text}".`)
}
