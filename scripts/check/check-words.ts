/** Counts banned words in the source and the documents: no folder may exceed its allowance. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run } from '../run.ts'
import { bannedWords, compare, folderOf } from './words.ts'

/** Uses of the account name that is banned as a word. A folder that is not listed is allowed none. */
const allowances: Readonly<Record<string, number>> = {
  '.': 2,
  'docs/decisions': 5,
  'docs/guides': 1,
  'server/src/database': 14,
}

const checked = /^(?:server\/(?:src|test)|console|sdk|scripts|bench)\/.*\.tsx?$|\.md$/
const exempt =
  /^server\/src\/database\/tables\/types\.ts$|^sdk\/src\/openapi\.ts$|^scripts\/check\/words(?:\.test)?\.ts$/

const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
const files = output.split('\n').filter((file) => checked.test(file) && !exempt.test(file))
const counts: Record<string, number> = {}
await Promise.all(files.map(count))
const { above, lower } = compare(counts, allowances)
for (const each of above) console.error(each)
for (const each of lower) console.error(`${each}: lower it in scripts/check/check-words.ts`)
process.exitCode = above.length === 0 ? 0 : 1

async function count(file: string): Promise<void> {
  const found = bannedWords(await readFile(join(root, file), 'utf8'))
  if (process.argv.includes('--list') && found.length > 0)
    console.log(`${file}: ${found.join(' ')}`)
  const folder = folderOf(file)
  counts[folder] = (counts[folder] ?? 0) + found.length
}
