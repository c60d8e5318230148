import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { freePort } from '../support/machines/ports.ts'
import type { Block } from './blocks.ts'

const root = join(import.meta.dirname, '../../..')

export type Place = {
  /** The service's directory, in which each document gets one of its own. */
  home: string
  /** Host and port of the service. */
  address: string
}

export type Step = Block & { document: string }

export type Outcome = Step & {
  stdout: string
  stderr: string
  /** HTTP statuses of curl's answers. */
  statuses: number[]
}

export type Ran = {
  code: number | null
  outcomes: Outcome[]
  /** Whether the script has left programs running. */
  hasLeftovers: boolean
}

/** Notes what each of curl's answers was, which curl does not say. */
const curl = `#!/bin/sh
exec "$REAL_CURL" -D "$OUT/$BLOCK.$$.head" "$@"
`

const endAfterMs = 90_000

/**
 * The start of each script. A program that runs until it is stopped has to print an event: a
 * campaign changes while it runs.
 */
const prologue = `set -eu
begin() { BLOCK=$1; export BLOCK; exec > "$OUT/$1.out" 2> "$OUT/$1.err"; }
until_it_prints_events() {
  tries=0
  until grep -q campaign.updated "$OUT/$BLOCK.out"; do
    tries=$((tries + 1)); [ $tries -lt 60 ] || exit 9; sleep 0.5
    "$REAL_CURL" -s -o /dev/null -X PATCH $BASE/campaigns/$CAMPAIGN -H "$AUTH" -H "$JSON" \\
      -d '{"labels": ["'$tries'"]}'
  done
}
`

/**
 * Runs the steps as one shell script, in a directory like a checkout of Flightdeck in which the
 * service runs. It ends at the first command that fails.
 */
export async function runSteps(steps: readonly Step[], { home, address }: Place): Promise<Ran> {
  const cwd = await checkoutIn(home)
  const port = String(await freePort())
  const here = (text: string) => moved(text, address, port)
  for (const { file, text } of steps) if (file) await writeFile(join(cwd, file), here(text))
  const script = steps.map((step, at) => (step.file ? '' : `begin ${at}\n${shellOf(step)}`))
  const shell = start(prologue + here(script.join('\n')), cwd)
  const late = setTimeout(() => endGroup(shell.pid), endAfterMs)
  const [code] = await once(shell, 'exit')
  clearTimeout(late)
  const hasLeftovers = endGroup(shell.pid)
  return { code, outcomes: await outcomesOf(steps, join(cwd, outputs)), hasLeftovers }
}

const outputs = 'output'

async function checkoutIn(home: string): Promise<string> {
  const cwd = await mkdtemp(join(home, 'checkout-'))
  await mkdir(join(cwd, outputs, 'bin'), { recursive: true })
  await writeFile(join(cwd, outputs, 'bin', 'curl'), curl, { mode: 0o755 })
  await writeFile(join(cwd, 'package.json'), '{"private": true, "type": "module"}')
  await symlink(join(home, 'data'), join(cwd, 'data'))
  await symlink(join(root, 'node_modules'), join(cwd, 'node_modules'))
  await symlink(join(root, 'flightdeck'), join(cwd, 'flightdeck'))
  return cwd
}

function start(script: string, cwd: string): ChildProcess {
  const { PATH = '', HOME = '' } = process.env
  const out = join(cwd, outputs)
  const path = [join(out, 'bin'), PATH].join(delimiter)
  const env = { PATH: path, HOME, OUT: out, REAL_CURL: pathOf('curl') }
  return spawn('sh', ['-c', script], { cwd, env, detached: true, stdio: 'ignore' })
}

const shellOf = ({ text, isEndless }: Step) =>
  isEndless ? `{ ${text}\n} &\nuntil_it_prints_events` : text

function pathOf(program: string): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = folders.map((folder) => join(folder, program)).find(existsSync)
  if (!found) throw new Error(`${program} is not installed`)
  return found
}

/** The same text for another port, as a machine may use these already. */
const moved = (text: string, address: string, port: string) =>
  text
    .replaceAll('127.0.0.1:8080', address)
    .replaceAll('flightdeck listen', `flightdeck listen --url http://${address}`)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replaceAll('3000,', `${port},`)

/** Ends all processes of the script; returns whether there were any. */
function endGroup(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(-pid, 'SIGKILL')
  } catch {
    return false
  }
}

async function outcomesOf(steps: readonly Step[], out: string): Promise<Outcome[]> {
  const files = await readdir(out)
  const read = async (name: string) => String(await readFile(join(out, name)))
  const started = steps
    .map((step, at) => ({ step, at }))
    .filter(({ at }) => files.includes(`${at}.out`))
  return Promise.all(
    started.map(async ({ step, at }) => {
      const heads = files.filter((name) => name.startsWith(`${at}.`) && name.endsWith('.head'))
      const statuses = (await Promise.all(heads.map(read))).flatMap((head) =>
        [...head.matchAll(/^HTTP\/\S+ (\d{3})/gm)].map(([, status]) => Number(status)),
      )
      return { ...step, stdout: await read(`${at}.out`), stderr: await read(`${at}.err`), statuses }
    }),
  )
}
