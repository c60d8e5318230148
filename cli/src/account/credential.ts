import { createFlightdeck, type Flightdeck } from '@flightdeckhq/sdk'
import type { Command } from 'commander'
import { UsageError } from '../faults.ts'
import { readInput } from '../terminal.ts'
import { clientAt, clientOf, placeOf } from './session.ts'

/** Options of commands that run without anybody at the terminal, beside the login that is kept. */
export type CredentialOptions = { token?: string; email?: string; password?: string }

/** The client by these options, or by the login that is kept. */
export async function clientWith(
  command: Command,
  { token, email, password }: CredentialOptions,
): Promise<{ client: Flightdeck; url: string }> {
  if ((email === undefined) !== (password === undefined)) {
    throw new UsageError('Give --email and --password together.')
  }
  if (token === undefined && email === undefined) return await clientOf(command)
  const { url } = await placeOf(command)
  if (token !== undefined) return { client: clientAt(url, await secretOf(token)), url }
  const login = { email: email ?? '', password: await secretOf(password ?? '') }
  return { client: createFlightdeck({ baseUrl: `${url}/api/v1`, login }), url }
}

/** `-` is the first line of standard input, as others can see arguments. */
async function secretOf(text: string): Promise<string> {
  if (text !== '-') return text
  const [line = ''] = (await readInput()).split(/\r?\n/)
  if (line === '') throw new UsageError('Standard input is empty.')
  return line
}
