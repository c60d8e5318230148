import type { Flightdeck } from '@flightdeckhq/sdk'
import { made, type Operation } from '../operations.ts'
import { idOf } from './target.ts'

type Given = (word: string) => readonly string[]

/** What the flags give, with the ids of those that name an object: `--profile-id name:Acme`. */
export async function withIds(
  client: Flightdeck,
  { flags }: Operation,
  given: Given,
): Promise<Given> {
  const found = new Map<string, readonly string[]>()
  for (const [word, { name }] of Object.entries(flags)) {
    const values = given(word)
    const list = values.some(isNamed) ? listOf(name) : undefined
    if (!list) continue
    found.set(word, await Promise.all(values.map((value) => idOf(client, list, value))))
  }
  return (word) => found.get(word) ?? given(word)
}

/** The id that a filter such as `profile_id=name:Acme` means. */
export async function idFor(client: Flightdeck, name: string, value: string): Promise<string> {
  const list = isNamed(value) ? listOf(name) : undefined
  return list ? await idOf(client, list, value) : value
}

const isNamed = (value: string) => /^(ext|name):/.test(value)

/** The path of the list that has the objects of a field such as `profile_id`. */
function listOf(name: string): string | undefined {
  const [, one] = /^(\w+)_id$/.exec(name) ?? []
  if (!one) return undefined
  const paths = [`/${one}s`, `/${one.replace(/y$/, 'ies')}`]
  return Object.values(made.commands)
    .flatMap((verbs) => Object.values(verbs))
    .find(({ path, answer }) => answer === 'list' && paths.includes(path))?.path
}
