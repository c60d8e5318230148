import { CommanderError } from 'commander'
import { programFor } from './program.ts'

/** Runs one command line and sets the process's exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  // A closed pipe, as with `flightdeck … | head`, ends the command.
  process.stdout.on('error', () => process.exit())
  const words = argv.length === 0 ? ['--help'] : [...argv]
  try {
    await programFor(words).parseAsync(words, { from: 'user' })
  } catch (error) {
    process.exitCode = await told(error)
  }
}

/** Says on standard error what went wrong. The exit code. */
async function told(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const [{ linesOf }, { exitCodeOf }] = await Promise.all([
    import('./output/problem.ts'),
    import('./exit.ts'),
  ])
  for (const line of linesOf(error)) process.stderr.write(`flightdeck: ${line}\n`)
  return exitCodeOf(error)
}
