/**
 * Counts banned words in the source and the documents, of which no folder may exceed its allowance,
 * and finds comments that begin without a noun or a verb.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run } from '../../run.ts'
import { generatedFiles } from '../generated-files.ts'
import { unnamedOpenings } from './openings.ts'
import { bannedWords, compare, folderOf } from './words.ts'

type Counts = Record<string, number>

/** Uses of the account name that is banned as a word. A folder that is not listed is allowed none. */
const allowances: Readonly<Counts> = {
  'docs/decisions': 5,
  'server/src/database': 14,
}

const source = /^(?:server\/(?:src|test)|connectors|console|sdk|scripts|bench|examples)\/.*\.tsx?$/
const exempt = /^scripts\/check\/source\/(?:words|openings)(?:\.test)?\.ts$/

const words: Counts = {}
const unnamed: string[] = []
const isListing = process.argv.includes('--list')

const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
const files = output.split('\n').filter((file) => !generatedFiles.has(file) && !exempt.test(file))
await Promise.all(files.filter((file) => source.test(file) || file.endsWith('.md')).map(read))
const { above, lower } = compare(words, allowances)
for (const each of [...above, ...unnamed.sort()]) console.error(each)
for (const each of lower) console.error(`${each}: lower it in scripts/check/source/check-words.ts`)
process.exitCode = above.length + unnamed.length === 0 ? 0 : 1

async function read(file: string): Promise<void> {
  const text = await readFile(join(root, file), 'utf8')
  const banned = bannedWords(text)
  if (isListing && banned.length > 0) console.log(`${file}: ${banned.join(' ')}`)
  const folder = folderOf(file)
  words[folder] = (words[folder] ?? 0) + banned.length
  if (!source.test(file)) return
  const lines = unnamedOpenings(file, text)
  unnamed.push(...lines.map((line) => `${file}:${line} begins a comment without a noun or a verb`))
}
