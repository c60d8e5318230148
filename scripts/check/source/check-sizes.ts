/**
 * Fails when a file or a function is longer than this, as it has probably become two things, and
 * when a room asserts types more often than for its few doors to libraries.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run } from '../../run.ts'
import { generatedFiles } from '../generated-files.ts'
import { type Sizes, sizesOf } from './sizes.ts'

const mostLines = 300
const mostFunctionLines = 50

const measured = /^(?:server\/(?:src|test)|connectors|console|sdk|scripts|bench)\/.*\.tsx?$/
const short = /^(?:(?:server|console|sdk)\/src|scripts|connectors)\//
/** Type assertions per thousand lines, by room. */
const mostAssertions = [
  { room: 'server/src/', most: 0.3 },
  { room: 'console/src/', most: 0.8 },
]

type Measured = { file: string; sizes: Sizes }

const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
const files = output
  .split('\n')
  .filter((file) => measured.test(file) && !generatedFiles.has(file) && !file.endsWith('.test.ts'))
const all = await Promise.all(files.map(measure))
const findings = [
  ...all.flatMap(longFiles),
  ...all.filter(({ file }) => short.test(file) && !file.endsWith('.e2e.ts')).flatMap(longFunctions),
  ...mostAssertions.flatMap(tooManyAssertions),
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

function tooManyAssertions({ room, most }: (typeof mostAssertions)[number]): string[] {
  const files = all.filter(({ file }) => file.startsWith(room))
  const lines = files.reduce((sum, { sizes }) => sum + sizes.lines, 0)
  const places = files.flatMap(({ file, sizes }) =>
    sizes.assertions.map((line) => `${file}:${line}`),
  )
  const allowed = Math.floor((lines * most) / 1000)
  if (places.length <= allowed) return []
  return [`${places.length} type assertions: at most ${allowed}\n  ${places.join('\n  ')}`]
}
