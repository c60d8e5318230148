import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { vi } from 'vitest'

const launcher = join(import.meta.dirname, '../../../../flightdeck')

export type OnTerminal = {
  /** The text on the screen so far. */
  said(): string
  /** Presses Ctrl-C; returns the exit code. */
  stop(): Promise<number | null>
}

/** Starts the service as a person does, in a terminal, and waits until it says that it is ready. */
export async function serveOnTerminal(dataDir: string): Promise<OnTerminal> {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, FLIGHTDECK_PORT: '0', FLIGHTDECK_DATA_DIR: join(dataDir, 'data') }
  const args = ['-qefc', `'${launcher}' serve`, '/dev/null']
  const child = spawn('script', args, { cwd: dataDir, env, stdio: 'pipe' })
  const exited = once(child, 'exit')
  let screen = ''
  child.stdout.on('data', (chunk) => {
    screen += chunk
  })
  const said = () => stripVTControlCharacters(screen).replaceAll('\r', '')
  await vi.waitFor(() => {
    if (!said().includes('is ready.') || !said().includes('Stop with')) throw new Error(said())
  }, 60_000)
  return {
    said,
    stop: async () => {
      child.stdin.write('\u0003')
      const [code] = await exited
      return code
    },
  }
}
