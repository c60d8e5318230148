import type { Command } from 'commander'
import { clientAt, placeOf } from '../account/session.ts'
import { directory, readToken } from '../account/store.ts'
import { made } from '../operations.ts'
import { linesOf } from '../output/problem.ts'

const longestSkewMs = 30_000

/** Says of each thing that a command needs whether it is well. */
export async function examine(command: Command): Promise<void> {
  const { url, context } = await placeOf(command)
  say('Settings', directory())
  say('Address', context === url ? url : `${url} (context ${context})`)
  const reply = await fetch(`${url}/livez`).catch((error: unknown) => error)
  if (!(reply instanceof Response)) return fail('Service', 'nothing answers there', 7)
  say('Service', reply.ok ? 'answers' : `answers ${reply.status}`)
  const skew = Math.abs(Date.parse(reply.headers.get('date') ?? '') - Date.now())
  say(
    'Clock',
    skew > longestSkewMs
      ? `differs by ${Math.round(skew / 1_000)} s from the service`
      : 'as the service’s',
  )
  say('Version', `${made.version}; the service ${await versionAt(url)}`)
  const token = process.env.FLIGHTDECK_TOKEN || (await readToken(context))?.token
  if (!token) return fail('Login', 'none: flightdeck login', 4)
  try {
    await clientAt(url, token).auth.me()
    say('Login', process.env.FLIGHTDECK_TOKEN ? 'by FLIGHTDECK_TOKEN' : 'is valid')
  } catch (error) {
    fail('Login', linesOf(error)[0] ?? 'is refused', 4)
  }
}

async function versionAt(url: string): Promise<string> {
  const reply = await fetch(`${url}/api/v1/openapi.json`).catch(() => null)
  const { info } = reply?.ok
    ? ((await reply.json()) as { info: { version: string } })
    : { info: { version: 'unknown' } }
  return info.version
}

const say = (what: string, text: string) => void process.stdout.write(`${what.padEnd(10)}${text}\n`)

function fail(what: string, text: string, code: number): void {
  say(what, text)
  process.exitCode = code
}
