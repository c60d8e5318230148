import type { Flightdeck } from '@flightdeckhq/sdk'
import type { Command } from 'commander'
import { clientOf } from '../account/session.ts'
import { UsageError } from '../faults.ts'
import type { Operation } from '../operations.ts'
import { type Jq, jqOf } from '../output/jq.ts'
import { printObject } from '../output/print.ts'
import { readInput } from '../terminal.ts'
import { printList } from './lists.ts'
import { namingVersion } from './other-version.ts'
import { queryOf } from './read.ts'
import { withIds } from './references.ts'
import { sentBy } from './sent.ts'
import { printFile, printStream } from './streams.ts'
import { idOf } from './target.ts'
import { eachUntilRefused } from './until-refused.ts'
import { secondsIn, waitFor, waitingFor } from './wait.ts'

export type Call = {
  command: Command
  operation: Operation
  client: Flightdeck
  /** The values of an option, none if it is not given. */
  given(word: string): readonly string[]
  isGiven(word: string): boolean
  /** Prints an answer by the expression of --jq, where there is one. */
  jq?: Jq | undefined
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
  checkGiven(call)
  const expression = call.given('jq').at(-1)
  const jq = expression === undefined ? undefined : await jqOf(expression)
  const { client, url } = await clientOf(command)
  try {
    const given = await withIds(client, operation, call.given)
    await runWith({ ...call, client, given, jq })
  } catch (error) {
    throw await namingVersion(error, { url, call })
  }
}

async function runWith(call: Call): Promise<void> {
  const { command, operation } = call
  if (call.isGiven('filter') && !('filter' in operation.flags)) {
    const { changeMany } = await import('./many/many.ts')
    return await changeMany(call, act)
  }
  await forEach(command.args, (targets) => act(call, targets))
}

/** Acts once, or for each id on standard input until one is refused. */
async function forEach(
  [first, ...others]: readonly string[],
  act: (targets: readonly string[]) => Promise<void>,
): Promise<void> {
  if (first !== '-') return await act(first === undefined ? [] : [first, ...others])
  const ids = (await readInput()).split(/\s+/).filter(Boolean)
  await eachUntilRefused(ids, (id) => act([id, ...others]))
}

const camel = (word: string) => word.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())

function checkGiven({ command, operation, given, isGiven }: Omit<Call, 'client'>): void {
  const [first] = operation.ids
  if (first && command.args.length === 0 && !isGiven('filter')) {
    throw new UsageError(`Needed: <${first}>, or --filter.`)
  }
  if (isGiven('wait')) secondsIn(given('wait').at(-1))
  if (isGiven('data')) {
    if (command.args[0] === '-' && given('data').at(-1) === '-') {
      throw new UsageError('Standard input cannot be both the ids and --data.')
    }
    return
  }
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
  const { body, ifMatch } = await sentBy(call, { path, targets })
  const answer = await client.request(operation.method, path, {
    query: { ...query, ...(call.isGiven('dry-run') && { validate_only: true }) },
    ...(body !== undefined && { [operation.body === 'csv' ? 'csv' : 'body']: body }),
    raw: operation.answer === 'raw',
    ifMatch,
    idempotencyKey: given('idempotency-key').at(-1),
    reason: given('reason').at(-1),
    overrideReason: given('override-reason').at(-1),
  } as object)
  if (answer instanceof Response) return await printFile(answer)
  const waiting = call.isGiven('wait') && !call.isGiven('dry-run') && waitingFor(operation)
  const shown = waiting ? await ended(call, { waiting, path, answer }) : answer
  if (call.jq) call.jq(shown)
  else printObject(shown, { isJson: call.isGiven('json') })
}

type Begun = { waiting: NonNullable<ReturnType<typeof waitingFor>>; path: string; answer: unknown }

/** The object that the command began to change, once that has ended. */
async function ended({ client, operation, given }: Call, begun: Begun): Promise<unknown> {
  const { waiting, path, answer } = begun
  const isNew = operation.path === '/change_sets'
  const object = isNew
    ? `${path}/${(answer as { id: string }).id}`
    : path.replace(/\/(apply|approve|redeliver)$/, '')
  const seconds = secondsIn(given('wait').at(-1))
  const waited = await waitFor(client, { waiting, path: object, seconds })
  if (waited.exitCode !== 0) process.exitCode = waited.exitCode
  return waited.answer
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
