import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { type Command, type Given, UsageError } from './command.ts'

/** Reads secrets given as `-` from standard input, as arguments are visible in the process list. */
export async function withSecrets({ options = {} }: Command, given: Given): Promise<Given> {
  const read = new Map<string, string>()
  for (const [name, { secret }] of Object.entries(options)) {
    const value = secret ? given.option(name) : undefined
    if (value === '-') read.set(name, await secretLine(name))
    else if (value !== undefined) warn(name)
  }
  return { ...given, option: (name) => read.get(name) ?? given.option(name) }
}

const warn = (name: string) =>
  process.stderr.write(
    `flightdeck: warning: other users of this machine can see --${name}; use "--${name} -" and standard input.\n`,
  )

/** Reads the first line; a terminal shows a prompt, but not the input. */
async function secretLine(name: string): Promise<string> {
  const { stdin: input, stderr } = process
  const terminal = input.isTTY === true
  if (terminal) stderr.write(`${name}: `)
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  try {
    for await (const line of createInterface({ input, output, terminal })) return line
  } finally {
    if (terminal) stderr.write('\n')
  }
  throw new UsageError(`--${name} - reads standard input, which is empty.`)
}
