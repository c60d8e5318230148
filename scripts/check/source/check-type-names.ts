/** Fails when a type has the same name in more files than this: each should say what it is. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run } from '../../run.ts'
import { generatedFiles } from '../generated-files.ts'
import { sharedNames, typeNamesIn } from './type-names.ts'

const mostFiles = 3
const parts = ['server/src', 'console/src', 'connectors']

const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
const files = output.split('\n').filter((file) => /\.tsx?$/.test(file) && !generatedFiles.has(file))
const findings = (await Promise.all(parts.map(findingsIn))).flat()
for (const finding of findings) console.error(finding)
process.exitCode = findings.length === 0 ? 0 : 1

async function findingsIn(part: string): Promise<string[]> {
  const own = files.filter((file) => file.startsWith(`${part}/`))
  const named = await Promise.all(
    own.map(async (file) => {
      const text = await readFile(join(root, file), 'utf8')
      return [file, typeNamesIn(file, text)] as const
    }),
  )
  return sharedNames(new Map(named), mostFiles).map(
    ({ name, files }) =>
      `type ${name} is declared in ${files.length} files of ${part}, at most ${mostFiles}:\n  ${files.join('\n  ')}`,
  )
}
