import type { Flightdeck } from '@flightdeckhq/sdk'
import type { Command } from 'commander'
import { clientOf } from '../account/session.ts'
import { UsageError } from '../faults.ts'
import type { Operation } from '../operations.ts'
import { printObject } from '../output/print.ts'
import { confirm, readInput } from '../terminal.ts'
import { isGrave, isRelative, presentOf, raiseOf, relativeFields } from './changes.ts'
import { printList } from './lists.ts'
import { fieldsOf, isObject, parsed, queryOf, textOf, type Values } from './read.ts'
import { printFile, printStream } from './streams.ts'
import { idOf } from './target.ts'

export type Call = {
  command: Command
  operation: Operation
  client: Flightdeck
  /** The values of an option, none if it is not given. */
  given(word: string): readonly string[]
  isGiven(word: string): boolean
}

/** Runs the command of an operation: once, or for each id on standard input. */
export async function run({ command, operation }: Pick<Call, 'command' | 'operation'>) {
  const options: Record<string, unknown> = command.opts()
  const call: Omit<Call, 'client'> = {
    command,
    operation,
    given: (word) => [options[camel(word)] ?? []].flat().filter((each) => typeof each === 'string'),
    isGiven: (word) => options[camel(word)] !== undefined,
  }
  checkRequired(call)
  const { client } = await clientOf(command)
  const [first, ...others] = command.args
  const targets = first === '-' ? (await readInput()).split(/\s+/).filter(Boolean) : [first]
  for (const target of targets) {
    await act({ ...call, client }, target === undefined ? [] : [target, ...others])
  }
}

const camel = (word: string) => word.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())

function checkRequired({ operation, isGiven }: Pick<Call, 'operation' | 'isGiven'>): void {
  if (isGiven('data')) return
  const missing = Object.entries(operation.flags)
    .filter(([word, { required }]) => required && !isGiven(word))
    .map(([word]) => `--${word}`)
  if (missing.length > 0) throw new UsageError(`Needed: ${missing.join(', ')}.`)
}

async function act(call: Call, targets: readonly string[]): Promise<void> {
  const { operation, client, given } = call
  const path = await pathOf(call, targets)
  if (operation.answer === 'stream') return await printStream(call)
  const query = queryOf(operation, given)
  if (operation.answer === 'list') return await printList(call, { path, query })
  const { body, ifMatch } = await bodyOf(call, path)
  if (!call.isGiven('dry-run')) await sure(call, { path, body, targets })
  const answer = await client.request(operation.method, path, {
    query: { ...query, ...(call.isGiven('dry-run') && { validate_only: true }) },
    ...(body !== undefined && { body }),
    raw: operation.answer === 'raw',
    ifMatch,
    idempotencyKey: given('idempotency-key').at(-1),
    reason: given('reason').at(-1),
    overrideReason: given('override-reason').at(-1),
  } as object)
  if (answer instanceof Response) await printFile(answer)
  else printObject(answer, { isJson: call.isGiven('json') })
}

/** The path with the ids of its objects. */
async function pathOf({ operation, client }: Call, targets: readonly string[]): Promise<string> {
  const rest = [...targets]
  const parts: string[] = []
  for (const segment of operation.path.split('/')) {
    if (!segment.startsWith('{')) {
      parts.push(segment)
      continue
    }
    const id = await idOf(client, parts.join('/'), rest.shift() ?? '')
    // Empty or dots, it would be another path.
    if (!id || id === '.' || id === '..') throw new UsageError(`"${id}" is no id.`)
    parts.push(encodeURIComponent(id))
  }
  return parts.join('/')
}

type Body = { body: unknown; ifMatch: number | undefined }

/** What is sent: the flags over `--data`, and what depends on the object as it is, with its version. */
async function bodyOf(call: Call, path: string): Promise<Body> {
  const { operation, given } = call
  const ifMatch = versionIn(given('if-match').at(-1))
  const data = given('data').at(-1)
  if (operation.body === 'csv') {
    if (data === undefined)
      throw new UsageError('Needed: --data @file.csv, or - for standard input.')
    return { body: await textOf(data), ifMatch }
  }
  if (operation.body !== 'json') return { body: undefined, ifMatch }
  const whole = data === undefined ? {} : parsed('--data', await textOf(data), data)
  if (!isObject(whole)) throw new UsageError('--data is a JSON object.')
  const cleared = Object.fromEntries(
    given('clear').map((name) => [name.replaceAll('-', '_'), null]),
  )
  const isLater = isRelative(operation, given)
  const fields = await fieldsOf(operation, (word) =>
    isLater ? given(word).filter((text) => !text.endsWith('%')) : given(word),
  )
  const body: Values = { ...whole, ...fields, ...cleared }
  if (!isLater) return { body, ifMatch }
  const present = await presentOf(call.client, path)
  return {
    body: { ...body, ...relativeFields(operation, given, present) },
    ifMatch: ifMatch ?? present.version,
  }
}

function versionIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new UsageError('--if-match is the number of a version.')
  return Number(text)
}

/** Asks before what spends, or cannot be taken back. */
async function sure(
  call: Call,
  { path, body, targets }: { path: string; body: unknown; targets: readonly string[] },
) {
  const { operation, command, isGiven } = call
  if (isGiven('yes')) return
  const what = `${command.parent?.name()} ${command.name()} ${targets.join(' ')}`.trim()
  if (isGrave(operation, command.name()))
    return await confirm(`${what}: ${operation.summary.toLowerCase()}?`, false)
  if (!operation.isMerge || !isObject(body) || !mayRaise(body)) return
  const raise = raiseOf(body, await presentOf(call.client, path))
  if (raise) await confirm(`${what}: ${raise}.`, false)
}

const mayRaise = (body: Values) => Object.keys(body).some((name) => /budget|start_at/.test(name))
