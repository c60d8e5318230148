import type { Command } from 'commander'
import type { Flag, Operation } from '../operations.ts'
import { cut } from '../output/clean.ts'
import { optionsOf } from './command.ts'

const width = 100
/** More flags than these are named only, so that a help fits a screen. */
const most = 16

/** At most forty lines, with an example. */
export function helpOf(command: Command, operation: Operation): string {
  const { about, example, flags, ids } = operation
  const words = [command.parent?.name(), command.name(), ...ids.map((id) => `<${id}>`)]
  const objects = 'Objects: an id, ext:<external id>, name:<name>, or - for ids on standard input'
  return [
    `Usage: flightdeck ${words.join(' ')} [options]`,
    '',
    `${operation.summary}.`,
    ...(about ? wrapped(about).slice(0, 6) : []),
    ...(ids.length > 0 ? [objects] : []),
    ...flagLines(flags),
    '',
    ...columns(optionsOf(operation)),
    '',
    `Example: ${cut(example, 2 * width)}`,
    '',
  ].join('\n')
}

function flagLines(flags: Readonly<Record<string, Flag>>): string[] {
  const all = Object.entries(flags)
  if (all.length === 0) return []
  if (all.length > most)
    return ['', 'Flags:', ...wrapped(all.map(([word]) => `--${word}`).join(' '))]
  return [
    '',
    ...columns(
      all.map(([word, flag]) => [`--${word} <${flag.values ? 'one' : flag.type}>`, textOf(flag)]),
    ),
  ]
}

const textOf = ({ about, values, required, many }: Flag): string =>
  [
    required ? 'needed; ' : '',
    many ? 'repeatable; ' : '',
    values && values.length <= 8 ? values.join(', ') : about.split(/(?<=\.) /)[0],
  ].join('')

const columns = (rows: readonly (readonly [string, string])[]): string[] =>
  rows.map(([left, right]) => cut(`  ${left.padEnd(28)} ${right}`, width).trimEnd())

function wrapped(text: string): string[] {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1) ?? ''
    if (last.length + word.length >= width) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines.map((line) => `  ${line}`.trimEnd())
}
