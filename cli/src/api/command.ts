import type { Command } from 'commander'
import type { Operation } from '../operations.ts'
import { helpOf } from './help.ts'
import { listFor } from './many/matching.ts'
import { waitingFor } from './wait.ts'

type Option = readonly [flags: string, about: string]

const jq: Option = ['--jq <expression>', "what jq makes of the answer: '.data[].id'"]

const ofLists: readonly Option[] = [
  ['--all', 'all pages'],
  ['--jsonl', 'one JSON value a line; all pages, unless --limit is given'],
  ['--csv', 'as CSV; all pages, unless --limit is given'],
]

/** Of every command that changes something. */
const ofWrites: readonly Option[] = [
  ['--yes', 'do not ask'],
  ['--reason <text>', 'why, for the audit log'],
  ['--override-reason <text>', 'why a guardrail may be exceeded'],
  ['--idempotency-key <key>', 'the same for a request that is repeated'],
]

const ofMany: readonly Option[] = [
  ['--filter <name=value>', 'all that the list shows by it; repeatable'],
]

const ofWaiting: readonly Option[] = [
  ['--wait [seconds]', 'until it has ended; 300 seconds at most, unless said'],
]

/** Adds the command of an operation. */
export function addOperation(group: Command, verb: string, operation: Operation): void {
  const command = group.command(verb).description(operation.summary)
  const takesMany = listFor(operation) !== undefined
  for (const id of operation.ids) command.argument(takesMany ? `[${id}]` : `<${id}>`)
  for (const [word, { type }] of Object.entries(operation.flags)) {
    command.option(`--${word} <${type === 'flag' ? 'true|false' : 'value'}>`, '', collected)
  }
  for (const [flags, about] of optionsOf(operation)) {
    if (/[<[]/.test(flags)) command.option(flags, about, collected)
    else command.option(flags, about)
  }
  command.configureHelp({ formatHelp: () => helpOf(command, operation) })
  command.action(async () => {
    const { run } = await import('./run.ts')
    await run({ command, operation })
  })
}

const collected = (value: string, former: readonly string[] = []) => [...former, value]

/** The options beside the flags of the API, which come first where both have a name. */
export function optionsOf(operation: Operation): Option[] {
  const { answer, body, isMerge, hasDryRun, isVersioned, method, flags } = operation
  const text = body === 'csv' ? 'the CSV' : 'the JSON body'
  const all: Option[] = [
    ['--json', 'the answer of the API as it is'],
    ...(answer === 'raw' || answer === 'stream' ? [] : [jq]),
    ...(answer === 'list' ? ofLists : []),
    ...(body === 'json' || body === 'csv'
      ? [['--data <text>', `${text}: @file, - for standard input, or itself`] as const]
      : []),
    ...(isMerge ? ofUpdates(operation) : []),
    ...(hasDryRun ? [['--dry-run', 'try it out: nothing is changed'] as const] : []),
    ...(isVersioned
      ? [['--if-match <version>', 'only if it still has this version'] as const]
      : []),
    ...(listFor(operation) ? ofMany : []),
    ...(waitingFor(operation) ? ofWaiting : []),
    ...(method === 'GET' ? [] : ofWrites),
  ]
  return all.filter(([option]) => !(nameOf(option) in flags))
}

const ofUpdates = ({ flags }: Operation): Option[] => [
  ['--clear <field>', 'set a field to nothing; repeatable'],
  ...Object.entries(flags).flatMap(([word, { many }]): Option[] =>
    many
      ? [
          [`--add-${word} <value>`, 'beside those that it has'],
          [`--remove-${word} <value>`, 'without this one'],
        ]
      : [],
  ),
]

const nameOf = (option: string) => /^--([a-z-]+)/.exec(option)?.[1] ?? ''
