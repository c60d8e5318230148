/** Fails when the decision records and their index do not fit each other. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../run.ts'
import { decisionFaults } from './decisions.ts'

const folder = join(root, 'docs/decisions')
const files = (await readdir(folder)).filter((file) => file !== 'README.md')
const textOf = (file: string) => readFile(join(folder, file), 'utf8')
const records = await Promise.all(files.map(async (file) => ({ file, text: await textOf(file) })))
const findings = decisionFaults(records, await textOf('README.md'))
findings.forEach((finding) => {
  console.error(finding)
})
process.exitCode = findings.length === 0 ? 0 : 1
