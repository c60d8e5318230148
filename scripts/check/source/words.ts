import { dirname } from 'node:path'

/** Words that made names and comments hard to read. Say who does what to what instead. */
const banned =
  /(?<![a-z])(?:told|tells?|telling|whoever|whosever|somebody|nobody|anybody|besides|so many|as much as|wish(?:es)?|settle[sd]?)(?![a-z])/gi

/** The banned words of a text, those inside a name such as `isTold` or `told_at` included. */
export function bannedWords(text: string): string[] {
  const words = text.replaceAll('allSettled', '').replace(/([a-z0-9])([A-Z])/g, '$1 $2')
  return [...words.matchAll(banned)].map(([word]) => word.toLowerCase())
}

/** The folder that has an allowance: a room of the server, a feature, or a part of the project. */
export function folderOf(file: string): string {
  const isFeature = file.startsWith('server/src/features/')
  const depth = isFeature ? 4 : file.startsWith('server/src/') ? 3 : 2
  return dirname(file).split('/').slice(0, depth).join('/')
}

type Counts = Readonly<Record<string, number>>
type Comparison = { above: string[]; lower: string[] }

/** Folders above their allowance, and allowances that can be lowered, as lines to print. */
export function compare(counts: Counts, allowances: Counts): Comparison {
  const folders = [...new Set([...Object.keys(counts), ...Object.keys(allowances)])].sort()
  const rows = folders.map((folder) => {
    const count = counts[folder] ?? 0
    const allowed = allowances[folder] ?? 0
    return { count, allowed, text: `${folder}: ${count} banned words, ${allowed} allowed` }
  })
  return {
    above: rows.filter(({ count, allowed }) => count > allowed).map(({ text }) => text),
    lower: rows.filter(({ count, allowed }) => count < allowed).map(({ text }) => text),
  }
}
