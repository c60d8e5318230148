import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const launcher = join(import.meta.dirname, '../../../bin/flightdeck.js')

export type Ended = { code: number | null; stdout: string; stderr: string }

type Env = Record<string, string>

type Surroundings = { env: Env; input?: string }

/** The real command line in its data directory, without other settings of ours. */
function start(dataDir: string, args: string[], { env, input }: Surroundings): ChildProcess {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd: dataDir,
    env: { PATH, HOME, FLIGHTDECK_DATA_DIR: join(dataDir, 'data'), ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(input)
  return child
}

/** Runs one command to its end. */
export const run = (dataDir: string, args: string[], env: Env = {}): Promise<Ended> =>
  begin(dataDir, args, env).ended

/** The same, with this text on its standard input. */
export const runWith = (dataDir: string, args: string[], input: string): Promise<Ended> =>
  follow(start(dataDir, args, { env: {}, input })).ended

export type Running = {
  /** The output so far. */
  output: { readonly stdout: string; readonly stderr: string }
  ended: Promise<Ended>
  signal(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGKILL'): void
}

/** Starts a command that runs until it is stopped. */
export const begin = (dataDir: string, args: string[], env: Env = {}): Running =>
  follow(start(dataDir, args, { env }))

function follow(child: ChildProcess): Running {
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk
  })
  const ended = once(child, 'close').then(([code]) => ({ code, ...output }))
  return { output, ended, signal: (signal) => void child.kill(signal) }
}

export type Service = {
  url: string
  pid: number
  logged: Record<string, unknown>[]
  /** The exit code. */
  ended: Promise<number | null>
  /** The readable output so far. */
  said(): string
  stop(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGKILL'): Promise<number | null>
}

/** Starts the service on a free port, and waits until its log says that it listens. */
export async function serve(dataDir: string, env: Env = {}, args: string[] = []): Promise<Service> {
  const child = start(dataDir, ['serve', ...args], { env: { FLIGHTDECK_PORT: '0', ...env } })
  const exited = once(child, 'exit')
  const logged: Record<string, unknown>[] = []
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>()
  if (!child.stdout) throw new Error('the process has no output')
  createInterface(child.stdout).on('line', (line) => {
    const entry = JSON.parse(line)
    logged.push(entry)
    if (entry.msg === 'listening') resolve(entry.url)
  })
  void exited.then(([code]) => reject(new Error(`serve ended with ${code}: ${said}`)))
  const url = await listening
  return {
    url,
    pid: Number(child.pid),
    logged,
    ended: exited.then(([code]) => code),
    said: () => said,
    stop: async (signal) => {
      child.kill(signal)
      const [code] = await exited
      return code
    },
  }
}
