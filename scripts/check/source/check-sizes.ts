/**
 * Fails when a file or a function is longer than this, as it has probably become two things, and
 * when the service asserts types more often than it does for its few doors to libraries.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run } from '../../run.ts'
import { generatedFiles } from '../generated-files.ts'
import { type Sizes, sizesOf } from './sizes.ts'

const mostLines = 300
const mostFunctionLines = 50
const mostAssertionsPerThousandLines = 0.3

const measured = /^(?:server\/(?:src|test)|console|sdk|scripts|bench)\/.*\.tsx?$/
const service = /^server\/src\//

type Measured = { file: string; sizes: Sizes }

const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
const files = output
  .split('\n')
  .filter((file) => measured.test(file) && !generatedFiles.has(file) && !file.endsWith('.test.ts'))
const all = await Promise.all(files.map(measure))
const ofService = all.filter(({ file }) => service.test(file))
const findings = [
  ...all.flatMap(longFiles),
  ...ofService.flatMap(longFunctions),
  ...tooManyAssertions(ofService),
]
findings.forEach((finding) => {
  console.error(finding)
})
process.exitCode = findings.length === 0 ? 0 : 1

async function measure(file: string): Promise<Measured> {
  return { file, sizes: sizesOf(file, await readFile(join(root, file), 'utf8')) }
}

function longFiles({ file, sizes: { lines } }: Measured): string[] {
  return lines > mostLines ? [`${file} has ${lines} lines: at most ${mostLines}`] : []
}

function longFunctions({ file, sizes: { functions } }: Measured): string[] {
  return functions
    .filter(({ lines }) => lines > mostFunctionLines)
    .map(
      ({ line, lines }) =>
        `${file}:${line} is a function of ${lines} lines: at most ${mostFunctionLines}`,
    )
}

function tooManyAssertions(files: readonly Measured[]): string[] {
  const lines = files.reduce((sum, { sizes }) => sum + sizes.lines, 0)
  const places = files.flatMap(({ file, sizes }) =>
    sizes.assertions.map((line) => `${file}:${line}`),
  )
  const most = Math.floor((lines * mostAssertionsPerThousandLines) / 1000)
  if (places.length <= most) return []
  return [`${places.length} type assertions: at most ${most}\n  ${places.join('\n  ')}`]
}
