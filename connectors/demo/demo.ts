/** `flightdeck demo`, from a clone: sample data, and a simulated network that runs some of it until Ctrl-C. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Filled, live } from './live.ts'

const launcher = join(import.meta.dirname, '../../server/bin/flightdeck.js')

/** With these the sample data is all that is asked for. */
const fillsOnly = ['--fill-only', '--json', '--help']

process.exitCode = await main(process.argv.slice(2))
// An open connection must not keep the process.
setTimeout(() => process.exit(), 1_000).unref()

async function main(args: readonly string[]): Promise<number> {
  const isLive = !args.some((arg) => fillsOnly.includes(arg))
  const { code, printed } = await fill(isLive ? [...args, '--connect', '--json'] : args, isLive)
  if (!isLive || code !== 0) return code
  const filled: Filled = JSON.parse(printed)
  return live(filled)
}

/** Runs the command of the server, which ends by the same signals. */
async function fill(args: readonly string[], isRead: boolean) {
  const child = spawn(process.execPath, [launcher, 'demo', ...args], {
    stdio: ['inherit', isRead ? 'pipe' : 'inherit', 'inherit'],
  })
  const pass = (signal: NodeJS.Signals) => void child.kill(signal)
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, pass)
  let printed = ''
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    printed += text
  })
  const [code] = await once(child, 'close')
  for (const signal of signals) process.off(signal, pass)
  return { code: code ?? 1, printed }
}
