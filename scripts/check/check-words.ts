/**
 * Counts banned words in the source and the documents, and comments that begin without a noun or a
 * verb: no folder may exceed its allowance.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run } from '../run.ts'
import { unnamedOpenings } from './openings.ts'
import { bannedWords, compare, folderOf } from './words.ts'

type Counts = Record<string, number>

/** Uses of the account name that is banned as a word. A folder that is not listed is allowed none. */
const allowedWords: Readonly<Counts> = {
  '.': 2,
  'docs/decisions': 5,
  'docs/guides': 1,
  'server/src/database': 14,
}

/** Comments to be rewritten. */
const allowedOpenings: Readonly<Counts> = {
}

const source = /^(?:server\/(?:src|test)|console|sdk|scripts|bench|examples)\/.*\.tsx?$/
const generated =
  /^server\/src\/database\/tables\/types\.ts$|^sdk\/src\/(?:openapi|operations|resources)\.ts$|\.gen\.ts$/
const exempt = /^scripts\/check\/(?:words|openings)(?:\.test)?\.ts$/

const words: Counts = {}
const openings: Counts = {}
const isListing = process.argv.includes('--list')

const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
const files = output.split('\n').filter((file) => !generated.test(file) && !exempt.test(file))
await Promise.all(files.filter((file) => source.test(file) || file.endsWith('.md')).map(read))
const results = [
  compare('banned words', words, allowedWords),
  compare('comments that begin without a noun or a verb', openings, allowedOpenings),
]
for (const each of results.flatMap(({ above }) => above)) console.error(each)
for (const each of results.flatMap(({ lower }) => lower))
  console.error(`${each}: lower it in scripts/check/check-words.ts`)
process.exitCode = results.every(({ above }) => above.length === 0) ? 0 : 1

async function read(file: string): Promise<void> {
  const text = await readFile(join(root, file), 'utf8')
  const banned = bannedWords(text)
  add(words, file, banned.length)
  if (isListing && banned.length > 0) console.log(`${file}: ${banned.join(' ')}`)
  if (!source.test(file)) return
  const unnamed = unnamedOpenings(file, text)
  add(openings, file, unnamed.length)
  if (isListing) for (const line of unnamed) console.log(`${file}:${line} begins without a noun`)
}

function add(counts: Counts, file: string, count: number): void {
  const folder = folderOf(file)
  counts[folder] = (counts[folder] ?? 0) + count
}
