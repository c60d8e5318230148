import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { errorCode, quoteOutput, StartError } from '../start-error.ts'
import { closedTo, isClosedToOthers } from './access.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { findProgram } from './system-program.ts'

/** As whom PostgreSQL's programs run, and the privilege by which they reach the installation. */
export type Runner = { account: Account | null; privilege: Privilege | null }

/** A capability of Linux, given by the program `setpriv`. */
type Privilege = { setpriv: string; name: string }

/** `directory` is that of the database, in which the program is started. */
type Command = { program: string; directory: string; args: string[] }

// A clone in /root is readable for all and yet out of reach for PostgreSQL's user. Either privilege
// opens the way; the first only for reading, so it is preferred. Docker gives only the second.
const PRIVILEGES = ['dac_read_search', 'dac_override']
const ESCAPES =
  'Start as an ordinary user, move the installation elsewhere (/opt), ' +
  'or set FLIGHTDECK_DATABASE_URL to a PostgreSQL of your own.'

/**
 * How to start programs as the account. A privilege is given only where root has closed the data
 * directory and the installation to all others: nobody gets at a PostgreSQL that can read root's files.
 */
export async function runnerFor(
  account: Account | null,
  binaries: Binaries,
  dataDir: string,
): Promise<Runner> {
  if (account === null) return { account, privilege: null }
  const programs = [binaries.initdb, binaries.postgres, ...binaries.folders]
  const closed = await closedTo(account, programs)
  if (closed === null) return { account, privilege: null }
  const fault = `PostgreSQL may not run as root, and ${closed} is closed to user id ${account.uid}`
  for (const path of [binaries.root, dataDir]) {
    if (await isClosedToOthers(path)) continue
    throw new StartError(
      `${fault}. It could pass with a privilege, which it gets only where ${path} is closed ` +
        `to all others as well (chmod 700). ${ESCAPES}`,
    )
  }
  return { account, privilege: await workingPrivilege(account, binaries, fault) }
}

/**
 * How a program names the directory that it is started in. To another user than this process's
 * the way there may be closed, and yet it is there: so Linux needs no privilege for that.
 */
export const pathFor = ({ account }: Runner, directory: string): string =>
  account !== null && process.platform === 'linux' ? '/proc/self/cwd' : directory

/** The mode of a directory above the database's: where `pathFor` has to name it, others pass. */
export const passageMode = (): number =>
  process.geteuid?.() === 0 && process.platform !== 'linux' ? 0o711 : 0o700

/** Starts a program of PostgreSQL as the right user, with a small environment. */
export function launch(runner: Runner, command: Command, options: SpawnOptions): ChildProcess {
  const { account, privilege } = runner
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: '/', LC_ALL: 'C', TZ: 'UTC' }
  const all = { ...options, cwd: command.directory, env }
  if (account === null) return spawn(command.program, command.args, all)
  if (privilege === null) return spawn(command.program, command.args, { ...all, ...account })
  const prefix = setprivArguments(account, privilege.name)
  return spawn(privilege.setpriv, [...prefix, command.program, ...command.args], all)
}

/** Runs a program to its end; throws a StartError with its last words if that is no success. */
export async function runToEnd(
  runner: Runner,
  { input, ...command }: Command & { input?: string },
): Promise<void> {
  const child = launch(runner, command, { stdio: 'pipe', detached: true })
  let output = ''
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-8_192)
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  // A program that ends early closes its input: its exit code says why.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input ?? '')
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
  return new StartError(`${program} cannot be started: ${reason}. ${ESCAPES}`, { cause: error })
}

async function workingPrivilege(
  account: Account,
  { postgres }: Binaries,
  fault: string,
): Promise<Privilege> {
  const setpriv = await findProgram('setpriv')
  if (setpriv === null) {
    throw new StartError(`${fault}; setpriv (util-linux) would help but is missing. ${ESCAPES}`)
  }
  const faults: unknown[] = []
  for (const name of PRIVILEGES) {
    const privilege = { setpriv, name }
    const trial = { program: postgres, directory: '/', args: ['--version'] }
    const failure = await runToEnd({ account, privilege }, trial).catch((error: unknown) => error)
    if (failure === undefined) return privilege
    faults.push(failure)
  }
  const cause = faults[0] instanceof Error ? faults[0].message : ''
  throw new StartError(`${fault}. ${ESCAPES}\n  ${cause}`)
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
