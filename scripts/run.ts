import { spawn } from 'node:child_process'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

export type Outcome = { ok: boolean; output: string }

/** Runs a program in the repository and captures its output. */
export function run(command: string, args: readonly string[], cwd = root): Promise<Outcome> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const parts: string[] = []
  child.stdout.on('data', (part) => parts.push(String(part)))
  child.stderr.on('data', (part) => parts.push(String(part)))
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  child.on('error', (error) => resolve({ ok: false, output: `${command}: ${error.message}` }))
  child.on('close', (code) => resolve({ ok: code === 0, output: parts.join('').trim() }))
  return promise
}
