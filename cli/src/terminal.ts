import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { UsageError } from './faults.ts'

/** Standard input as text. */
export async function readInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

const isTerminal = () => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Asks on the terminal; `isSecret` does not show what is typed. */
export async function ask(question: string, { isSecret = false } = {}): Promise<string> {
  if (!isTerminal()) throw new UsageError(`There is no terminal to ask for: ${question}`)
  process.stderr.write(`${question} `)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = isSecret ? silent : process.stderr
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  try {
    return (await lines.question('')).trim()
  } finally {
    lines.close()
    if (isSecret) process.stderr.write('\n')
  }
}

/** Goes on only after a yes. Off a terminal it needs `--yes`. */
export async function confirm(question: string): Promise<void> {
  if (!isTerminal()) throw new UsageError(`${question} Give --yes to do it.`)
  const answer = await ask(`${question} [y/N]`)
  if (!/^y(es)?$/i.test(answer)) throw new UsageError('Nothing is changed.')
}
