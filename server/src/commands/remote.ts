import { environment } from '../config/environment.ts'
import { readSecretFiles } from '../config/secret-files.ts'
import { errorCode, errorMessage } from '../values/errors.ts'
import { trimEnd } from '../values/trim-end.ts'
import { type Given, UsageError } from './command.ts'

/** For commands that are clients of the HTTP API: the service may run anywhere. */

/** The service that is started with the same settings. */
export const ownUrl = () => `http://127.0.0.1:${environment().FLIGHTDECK_PORT || 8080}`

/** The actual error, which `fetch` puts into the cause. */
export function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  return cause instanceof Error ? reasonOf(cause) : (errorCode(error) ?? errorMessage(error))
}

export function tokenIn({ option }: Given): string {
  const token = option('token') ?? givenToken()
  if (token) return token
  throw new UsageError('Give --token, or set FLIGHTDECK_TOKEN.')
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
