/** Checks that what documents name exists, and that no file has a command of others. */
import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { releasedVersions } from '../release/release-checks.ts'
import { root, run } from '../run.ts'
import { brokenReferences, foreignCommands, unknownVersions } from './references.ts'

const checked = /^(?:README|ARCHITECTURE|CONTRIBUTING)\.md$|^(?:docs|sdk|server)\/.*\.md$/
const isPicture = /\.(?:png|ico|svg|woff2?)$/

const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
const files = output.split('\n')
const released = releasedVersions(await readFile(join(root, 'CHANGELOG.md'), 'utf8'))
const documents = files.filter((file) => checked.test(file))
const findings = (await Promise.all([...documents.map(findingsIn), ...files.map(foreignIn)])).flat()
findings.forEach((finding) => {
  console.error(finding)
})
process.exitCode = findings.length === 0 ? 0 : 1

async function findingsIn(document: string): Promise<string[]> {
  const text = await readFile(join(root, document), 'utf8')
  const fromHere = (target: string) => relative(root, join(root, dirname(document), target))
  const broken = brokenReferences(text, { files, fromHere })
  const missing = broken.map((name) => `${name} does not exist`)
  const unknown = unknownVersions(text, released).map((version) => `${version} is not released`)
  return [...missing, ...unknown].map((finding) => `${document}: ${finding}`)
}

async function foreignIn(file: string): Promise<string[]> {
  if (isPicture.test(file) || file.startsWith('scripts/check/references.')) return []
  const found = foreignCommands(await readFile(join(root, file), 'utf8'))
  return found.map((command) => `${file}: ${command} fetches a package of others: use ./flightdeck`)
}
