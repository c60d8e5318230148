import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { errorCode } from '../../values/errors.ts'
import { quoteOutput, StartError } from '../start-error.ts'
import { closedTo, isClosedToOthers } from './access.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { findProgram } from './system-program.ts'

/** The account of PostgreSQL's programs, and the privilege they need to reach the installation. */
export type Runner = { account: Account | null; privilege: Privilege | null }

/** A Linux capability, granted by the program `setpriv`. */
type Privilege = { setpriv: string; name: string }

/** `directory` is the database directory, the program's working directory. */
type Command = { program: string; directory: string; args: string[] }

// PostgreSQL's user cannot reach a clone in /root, though its files are readable. Either privilege
// helps; the first allows only reading, so it is preferred. Docker grants only the second.
const PRIVILEGES = ['dac_read_search', 'dac_override']
const ESCAPES =
  'Start as an ordinary user, move the installation elsewhere (/opt), ' +
  'or set FLIGHTDECK_DATABASE_URL to a PostgreSQL of your own.'

/**
 * How to start programs as the account. The privilege is granted only if root has closed the data
 * directory and the installation to all others: no other user may reach a PostgreSQL that can read
 * root's files.
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
      `${fault}. A privilege would let it in, but is granted only if ${path} is closed ` +
        `to all other users too (chmod 700). ${ESCAPES}`,
    )
  }
  return { account, privilege: await workingPrivilege(account, binaries, fault) }
}

/**
 * The path by which a program names its working directory. Another user may not have access to the
 * full path; on Linux /proc/self/cwd needs none.
 */
export const pathFor = ({ account }: Runner, directory: string): string =>
  account !== null && process.platform === 'linux' ? '/proc/self/cwd' : directory

/** The mode of a directory above the database's: traversable where `pathFor` uses the full path. */
export const passageMode = (): number =>
  process.geteuid?.() === 0 && process.platform !== 'linux' ? 0o711 : 0o700

/** Starts one of PostgreSQL's programs as the right user, with a minimal environment. */
export function launch(runner: Runner, command: Command, options: SpawnOptions): ChildProcess {
  const { account, privilege } = runner
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: '/', LC_ALL: 'C', TZ: 'UTC' }
  const all = { ...options, cwd: command.directory, env }
  if (account === null) return spawn(command.program, command.args, all)
  if (privilege === null) return spawn(command.program, command.args, { ...all, ...account })
  const prefix = setprivArguments(account, privilege.name)
  return spawn(privilege.setpriv, [...prefix, command.program, ...command.args], all)
}

/** initdb takes less than a second; this is for disks that do not answer. */
const endWithinMs = 300_000

/** Runs a program to its end; throws a StartError with its last output if it fails or takes too long. */
export async function runToEnd(
  runner: Runner,
  { input, withinMs = endWithinMs, ...command }: Command & { input?: string; withinMs?: number },
): Promise<void> {
  const child = launch(runner, command, { stdio: 'pipe', detached: true })
  const isLate = endLate(child, withinMs)
  let output = ''
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-8_192)
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  // A program that ends early closes its input; its exit code is the error.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input ?? '')
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  child.once('error', (error) => reject(cannotLaunch(command.program, error)))
  child.once('close', (code, signal) => resolve(signal ?? String(code)))
  const end = await promise
  if (end === '0') return
  if (isLate()) throw new StartError(`${command.program} did not end within ${withinMs / 1_000} s`)
  throw new StartError(`${command.program} failed (${end}):${quoteOutput(output)}`)
}

/** Kills a program with this process, or after this long: then the function returns true. */
function endLate(child: ChildProcess, withinMs: number): () => boolean {
  let isLate = false
  const kill = () => void child.kill('SIGKILL')
  const timer = setTimeout(() => {
    isLate = true
    kill()
  }, withinMs)
  process.once('exit', kill)
  child.once('close', () => {
    clearTimeout(timer)
    process.off('exit', kill)
  })
  return () => isLate
}

export function cannotLaunch(program: string, error: Error): StartError {
  // ENOENT also means that the program's loader is missing: Alpine has no glibc.
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
    // Without this, access(2) ignores the privilege and initdb does not find postgres.
    '--securebits=+no_setuid_fixup',
    '--no-new-privs',
  ]
}
