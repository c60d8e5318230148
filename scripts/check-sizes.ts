/** Fails when a file is longer than this: it has probably become two things. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run } from './run.ts'

const mostLines = 300
const measured = /^(?:server\/(?:src|test)|sdk|scripts|bench)\/.*\.ts$/
const generated = new Set(['server/src/database/types.ts', 'sdk/src/openapi.ts'])

const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
const files = output.split('\n').filter((file) => measured.test(file) && !generated.has(file))
const findings = (await Promise.all(files.map(findingOf))).flat()
findings.forEach((finding) => {
  console.error(finding)
})
process.exitCode = findings.length === 0 ? 0 : 1

async function findingOf(file: string): Promise<string[]> {
  const lines = (await readFile(join(root, file), 'utf8')).trimEnd().split('\n')
  const isLong = lines.length > mostLines && !file.endsWith('.test.ts')
  return isLong ? [`${file} has ${lines.length} lines: at most ${mostLines}`] : []
}
