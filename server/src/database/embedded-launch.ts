import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { type Account, closedTo, findProgram } from './embedded-account.ts'
import type { Binaries } from './embedded-binaries.ts'
import { errorCode, quoteOutput, StartError } from './start-error.ts'

/** Starts a program of PostgreSQL as the right user, with a small environment. */
export type Launch = (program: string, args: string[], options: SpawnOptions) => ChildProcess

type Command = { program: string; args: string[]; input?: string }

// A clone in /root is readable for all and yet out of reach for PostgreSQL's user. Either privilege
// opens the way; the first only for reading, so it is preferred. Docker gives only the second.
const WAYS_THROUGH = ['dac_read_search', 'dac_override']
const WAYS_OUT =
  'Start as an ordinary user, move the installation and FLIGHTDECK_DATA_DIR elsewhere, ' +
  'or set FLIGHTDECK_DATABASE_URL to a PostgreSQL of your own.'

/** How to start programs as the account; `paths` are what they must reach besides the binaries. */
export async function launcherFor(
  account: Account | null,
  binaries: Binaries,
  paths: string[],
): Promise<Launch> {
  if (account === null) return launchAs({})
  const needed = [binaries.initdb, binaries.postgres, ...binaries.folders, ...paths]
  const closed = await closedTo(account, needed)
  if (closed === null) return launchAs(account)
  const prefix = await wayThrough(account, binaries, closed)
  return (program, args, options) =>
    launchAs({})(prefix[0], [...prefix[1], program, ...args], options)
}

/** Runs a program to its end; throws a StartError with its last words if that is no success. */
export async function runToEnd(launch: Launch, command: Command): Promise<void> {
  const child = launch(command.program, command.args, { stdio: 'pipe', detached: true })
  let output = ''
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-8_192)
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  // A program that ends early closes its input: its exit code says why.
  child.stdin?.on('error', () => {})
  child.stdin?.end(command.input ?? '')
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  child.once('error', (error) => reject(cannotLaunch(command.program, error)))
  child.once('close', (code, signal) => resolve(signal ?? String(code)))
  const end = await promise
  if (end === '0') return
  throw new StartError(`${command.program} failed (${end}):${quoteOutput(output)}`)
}

export function cannotLaunch(program: string, error: Error): StartError {
  // The kernel says ENOENT of a program that is there when its loader is not: Alpine has no glibc.
  const reason =
    errorCode(error) === 'ENOENT' ? 'this system cannot run it (it needs glibc)' : error.message
  return new StartError(`${program} cannot be started: ${reason}. ${WAYS_OUT}`, { cause: error })
}

function launchAs(account: Partial<Account>): Launch {
  return (program, args, options) =>
    spawn(program, args, { ...options, ...account, cwd: '/', env: childEnvironment() })
}

function childEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: '/', LC_ALL: 'C', TZ: 'UTC' }
}

async function wayThrough(
  account: Account,
  binaries: Binaries,
  closed: string,
): Promise<[string, string[]]> {
  const fault = `PostgreSQL may not run as root, and ${closed} is closed to user id ${account.uid}`
  const setpriv = await findProgram('setpriv')
  if (setpriv === null) {
    throw new StartError(`${fault}; setpriv (util-linux) would help but is missing. ${WAYS_OUT}`)
  }
  const faults: unknown[] = []
  for (const privilege of WAYS_THROUGH) {
    const args = setprivArguments(account, privilege)
    const trial = { program: setpriv, args: [...args, binaries.postgres, '--version'] }
    const failure = await runToEnd(launchAs({}), trial).catch((error: unknown) => error)
    if (failure === undefined) return [setpriv, args]
    faults.push(failure)
  }
  const cause = faults[0] instanceof Error ? faults[0].message : ''
  throw new StartError(`${fault}. ${WAYS_OUT}\n  ${cause}`)
}

function setprivArguments(account: Account, privilege: string): string[] {
  return [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    `--inh-caps=-all,+${privilege}`,
    `--ambient-caps=-all,+${privilege}`,
    // Without this access(2) ignores the privilege, and initdb does not find postgres.
    '--securebits=+no_setuid_fixup',
    '--no-new-privs',
  ]
}
