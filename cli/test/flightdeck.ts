import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const program = join(import.meta.dirname, '../src/flightdeck.ts')

export type Ended = { code: number | null; stdout: string; stderr: string }

type More = { input?: string; env?: Record<string, string> }

/** The command line of someone who has just installed it, with settings of their own. */
export async function terminalAt(url: string, env: Record<string, string> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'flightdeck-cli-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const { PATH = '', HOME = '' } = process.env

  /** Starts a command; `ended` is its end. */
  function begin(words: readonly string[], { input = '', env: more = {} }: More = {}) {
    const child = spawn(process.execPath, [program, ...words], {
      env: { PATH, HOME, FLIGHTDECK_CONFIG_DIR: directory, FLIGHTDECK_URL: url, ...env, ...more },
    })
    const output = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => {
      output.stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      output.stderr += chunk
    })
    child.stdin.end(input)
    const ended = once(child, 'close').then(([code]): Ended => ({ code, ...output }))
    return { output, ended, signal: (name: NodeJS.Signals) => child.kill(name) }
  }

  return {
    directory,
    begin,
    run: (words: readonly string[], more?: More): Promise<Ended> => begin(words, more).ended,
  }
}
