import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const program = join(import.meta.dirname, '../src/flightdeck.ts')

export type Ended = { code: number | null; stdout: string; stderr: string }

export type Terminal = {
  /** Settings are in it, and nothing else. */
  directory: string
  run(
    words: readonly string[],
    more?: { input?: string; env?: Record<string, string> },
  ): Promise<Ended>
}

/** The command line of someone who has just installed it. */
export async function terminalAt(url: string, env: Record<string, string> = {}): Promise<Terminal> {
  const directory = await mkdtemp(join(tmpdir(), 'flightdeck-cli-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const { PATH = '', HOME = '' } = process.env
  return {
    directory,
    async run(words, { input = '', env: more = {} } = {}) {
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
      const [code] = await once(child, 'close')
      return { code, ...output }
    },
  }
}
