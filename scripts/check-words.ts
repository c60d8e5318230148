/** Counts banned words in the source and the documents: no folder may exceed its allowance. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run } from './run.ts'
import { bannedWords, compare, folderOf } from './words.ts'

/** Lower them as words disappear; never raise one. A folder that is not listed is allowed none. */
const allowances: Readonly<Record<string, number>> = {
  '.': 15,
  'docs/decisions': 10,
  'docs/guides': 11,
  'sdk/src': 4,
  'server/src/database': 14,
  'server/src/features/events': 2,
  'server/src/features/guardrails': 8,
  'server/src/features/organizations': 2,
  'server/src/features/profiles': 19,
  'server/src/features/proxies': 18,
  'server/src/features/templates': 15,
  'server/src/history': 5,
  'server/src/http': 8,
  'server/src/jobs': 2,
  'server/src/limits': 11,
  'server/src/query': 1,
  'server/test': 3,
}

const checked = /^(?:server\/(?:src|test)|sdk|scripts|bench)\/.*\.ts$|\.md$/
const exempt =
  /^server\/src\/database\/types\.ts$|^sdk\/src\/openapi\.ts$|^scripts\/words(?:\.test)?\.ts$/

const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
const files = output.split('\n').filter((file) => checked.test(file) && !exempt.test(file))
const counts: Record<string, number> = {}
await Promise.all(files.map(count))
const { above, lower } = compare(counts, allowances)
for (const each of above) console.error(each)
for (const each of lower) console.error(`${each}: lower it in scripts/check-words.ts`)
process.exitCode = above.length === 0 ? 0 : 1

async function count(file: string): Promise<void> {
  const found = bannedWords(await readFile(join(root, file), 'utf8'))
  if (process.argv.includes('--list') && found.length > 0)
    console.log(`${file}: ${found.join(' ')}`)
  const folder = folderOf(file)
  counts[folder] = (counts[folder] ?? 0) + found.length
}
