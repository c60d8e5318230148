import type { Command } from 'commander'
import { clientOf, rootOf } from '../account/session.ts'
import { optionsOf } from '../api/command.ts'
import { made, type Operation } from '../operations.ts'
import { clean } from '../output/clean.ts'

/** Prints what may follow the words, the last of which may be begun; says nothing of what fails. */
export async function complete(command: Command, words: readonly string[]): Promise<void> {
  const begun = words.at(-1) ?? ''
  const found = await candidates(command, words.slice(0, -1), begun)
  for (const each of found.filter((text) => text.startsWith(begun)))
    process.stdout.write(`${each}\n`)
}

async function candidates(
  command: Command,
  words: readonly string[],
  begun: string,
): Promise<string[]> {
  const [resource = '', verb = ''] = words
  if (words.length === 0)
    return rootOf(command)
      .commands.map((each) => each.name())
      .filter((name) => !name.startsWith('_'))
  const verbs = made.commands[resource]
  if (!verbs)
    return (
      rootOf(command)
        .commands.find((each) => each.name() === resource)
        ?.commands.map((each) => each.name()) ?? []
    )
  const operation = verbs[verb]
  if (words.length === 1 || !operation) return Object.keys(verbs)
  const last = words.at(-1) ?? ''
  const flag = last.startsWith('--') ? operation.flags[last.slice(2)] : undefined
  if (flag)
    return [
      ...(flag.values ??
        (flag.type === 'flag' ? ['true', 'false'] : await idsFor(command, flag.name, begun))),
    ]
  if (begun.startsWith('-')) return flagsOf(operation)
  return operation.ids.length > 0
    ? await objectsOf(command, `/${operation.path.split('/')[1]}`, begun)
    : flagsOf(operation)
}

const flagsOf = (operation: Operation): string[] => [
  ...Object.keys(operation.flags).map((word) => `--${word}`),
  ...optionsOf(operation).map(([option]) => option.split(' ')[0] ?? ''),
]

/** Lists whose objects a flag such as `--profile-id` may name. */
const idsFor = async (command: Command, name: string, begun: string): Promise<string[]> =>
  /^(profile|client|template|proxy|campaign)_id$/.test(name)
    ? await objectsOf(
        command,
        `/${name === 'proxy_id' ? 'proxies' : `${name.slice(0, -3)}s`}`,
        begun,
      )
    : []

type Named = { id: string; name?: string | null }

async function objectsOf(command: Command, path: string, begun: string): Promise<string[]> {
  const text = begun.startsWith('name:') ? begun.slice(5) : ''
  try {
    const { client } = await clientOf(command)
    const query = { limit: 50, ...(text && { q: text }) }
    const { data } = await client.request<{ data: Named[] }>('GET', path, {
      query,
      timeoutMs: 1_500,
      retries: 0,
    })
    if (!begun.startsWith('name:')) return data.map(({ id }) => id)
    return data.flatMap(({ name }) => (name ? [`name:${clean(name)}`] : []))
  } catch {
    return []
  }
}
