import { UsageError } from '../faults.ts'
import { confirm } from '../terminal.ts'
import { isGrave, isRelative, type Present, presentOf, raiseOf, relativeFields } from './changes.ts'
import { fieldsOf, isObject, parsed, textOf, type Values } from './read.ts'
import type { Call } from './run.ts'

type About = { path: string; targets: readonly string[] }

/** What a command sends, once it is sure; with the version of the object by which that was judged. */
export async function sentBy(call: Call, { path, targets }: About) {
  const { operation, given, isGiven } = call
  const version = versionIn(given('if-match').at(-1))
  const body = await bodyOf(call)
  const isAsked = !isGiven('yes') && !isGiven('dry-run')
  const isLater = isRelative(operation, given)
  if (isLater && !operation.isMerge) throw new UsageError('Only an update takes a percentage.')
  const isPlain = !isObject(body) || !operation.isMerge
  if (isPlain || !(isLater || (isAsked && mayRaise(body)))) {
    if (isAsked && isGrave(operation, call.command.name())) await ask(call, targets)
    return { body, ifMatch: version }
  }
  const present = await presentOf(call.client, path)
  const whole: Values = { ...body, ...relativeFields(operation, given, present) }
  if (isAsked) await askOfRaise(call, { whole, present, targets })
  return { body: whole, ifMatch: version ?? present.version }
}

/** The flags over `--data`, without what depends on the object as it is. */
export async function bodyOf({ operation, given }: Call): Promise<unknown> {
  const data = given('data').at(-1)
  if (operation.body === 'csv') {
    if (data !== undefined) return await textOf(data)
    throw new UsageError('Needed: --data @file.csv, or - for standard input.')
  }
  if (operation.body !== 'json') return undefined
  const whole = data === undefined ? {} : parsed('--data', await textOf(data), data)
  if (!isObject(whole)) throw new UsageError('--data is a JSON object.')
  const cleared = given('clear').map((name) => [name.replaceAll('-', '_'), null])
  return { ...whole, ...(await fieldsOf(operation, given)), ...Object.fromEntries(cleared) }
}

function versionIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new UsageError('--if-match is the number of a version.')
  return Number(text)
}

const mayRaise = (body: Values) => Object.keys(body).some((name) => /budget|start_at/.test(name))

const nameOf = ({ command }: Call, targets: readonly string[]) =>
  [command.parent?.name(), command.name(), ...targets].join(' ')

const ask = (call: Call, targets: readonly string[]) =>
  confirm(`${nameOf(call, targets)}: ${call.operation.summary.toLowerCase()}?`)

type Raised = { whole: Values; present: Present; targets: readonly string[] }

async function askOfRaise(call: Call, { whole, present, targets }: Raised): Promise<void> {
  const raise = raiseOf(whole, present)
  if (raise) await confirm(`${nameOf(call, targets)}: ${raise}.`)
}
