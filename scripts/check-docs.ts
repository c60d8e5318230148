/** Checks that every file and relative link in the documents exists. */
import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { brokenReferences } from './references.ts'
import { root, run } from './run.ts'

const checked = /^(?:README|ARCHITECTURE|CONTRIBUTING)\.md$|^(?:docs|sdk)\/.*\.md$/

const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
const files = output.split('\n')
const documents = files.filter((file) => checked.test(file))
const findings = (await Promise.all(documents.map(findingsIn))).flat()
findings.forEach((finding) => {
  console.error(finding)
})
process.exitCode = findings.length === 0 ? 0 : 1

async function findingsIn(document: string): Promise<string[]> {
  const text = await readFile(join(root, document), 'utf8')
  const fromHere = (target: string) => relative(root, join(root, dirname(document), target))
  const broken = brokenReferences(text, { files, fromHere })
  return broken.map((name) => `${document}: ${name} does not exist`)
}
