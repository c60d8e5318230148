/** Checks that every file and relative link in the documents exists, and that commands say where they run. */
import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { brokenReferences, isBareNpx, unknownVersions } from './references.ts'
import { releasedVersions } from './release-checks.ts'
import { root, run } from './run.ts'

const checked = /^(?:README|ARCHITECTURE|CONTRIBUTING)\.md$|^(?:docs|sdk)\/.*\.md$/

const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
const files = output.split('\n')
const released = releasedVersions(await readFile(join(root, 'CHANGELOG.md'), 'utf8'))
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
  const where = isBareNpx(text) ? ['does not say in which directory to run npx flightdeck'] : []
  const missing = broken.map((name) => `${name} does not exist`)
  const unknown = unknownVersions(text, released).map((version) => `${version} is not released`)
  return [...missing, ...where, ...unknown].map((finding) => `${document}: ${finding}`)
}
