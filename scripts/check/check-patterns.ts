/**
 * Fails when a regular expression takes more than linear time on some text, and shows that text.
 */
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { root } from '../run.ts'
import { openKept } from './kept.ts'

type Pattern = { source: string; flags: string; place: string }

const ours = [
  'server/src/**/*.ts',
  'server/bin/*.js',
  'sdk/src/**/*.ts',
  'scripts/**/*.ts',
  'bench/*.ts',
]
/** Only these formats are used; the patterns of the others do not matter. */
const formats = 'node_modules/ajv-formats/dist/formats.js'
const usedFormats = ['date-time', 'email']
/** Reviewed by hand: automata cannot handle its look-ahead; each label ends at a dot. */
const judged = new Set([
  '^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$',
])

const { version } = JSON.parse(
  await readFile(join(root, 'node_modules/recheck/package.json'), 'utf8'),
)
/** Each pattern takes the checker up to a second. */
const safe = await openKept('safe-patterns', `recheck ${version}`)
const files = (await Array.fromAsync(glob(ours, { cwd: root }))).filter(
  (file) => !file.endsWith('.test.ts'),
)
const found = await Promise.all(files.map(patternsIn))
const making = found.filter(({ makes }) => makes).map(({ file }) => file)
const made = await patternsMadeBy(making)
const late = making.filter((file) => made.every(({ place }) => place !== file))
const patterns = [
  ...found.flatMap(({ literals }) => literals),
  ...(await patternsOfFormats()),
  ...made,
  ...patternsOf(JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8'))),
]
const findings = [
  ...late.map(
    (file) => `${file} makes patterns later than when it is loaded: they are not checked`,
  ),
  ...(await Promise.all(distinct(patterns).map(findingOf))).flat(),
]
await safe.store()
findings.forEach((finding) => {
  console.error(finding)
})
process.exitCode = findings.length === 0 ? 0 : 1

/** Regular expression literals, and whether the file constructs others. */
async function patternsIn(file: string) {
  const { program } = parseSync(file, await readFile(join(root, file), 'utf8'))
  const literals: Pattern[] = []
  let makes = false
  const noteCall = ({ callee }: { callee: { type: string; name?: unknown } }) => {
    makes ||= callee.type === 'Identifier' && callee.name === 'RegExp'
  }
  new Visitor({
    Literal: (node) => {
      if (!('regex' in node)) return
      literals.push({ source: node.regex.pattern, flags: node.regex.flags, place: file })
    },
    NewExpression: noteCall,
    CallExpression: noteCall,
  }).visit(program)
  return { file, literals, makes }
}

/** Patterns that files construct while they load, as passed to the constructor. */
async function patternsMadeBy(files: readonly string[]): Promise<Pattern[]> {
  const all: Pattern[] = []
  globalThis.RegExp = new Proxy(RegExp, {
    construct: (target, [source, flags = '']) => {
      const [, , caller = ''] = (new Error().stack ?? '').split('\n')
      const place = files.find((file) => caller.includes(file))
      if (place) all.push({ source: String(source), flags, place })
      return new target(source, flags)
    },
  })
  for (const file of files) await import(join(root, file))
  return all
}

async function patternsOfFormats(): Promise<Pattern[]> {
  const { fullFormats, fastFormats } = await import(join(root, formats))
  const unused = Object.entries(fullFormats).filter(([name]) => !usedFormats.includes(name))
  const others = [...unused.map(([, format]) => format), ...Object.values(fastFormats)]
  const sources = new Set(others.map((format) => (format instanceof RegExp ? format.source : '')))
  const { literals } = await patternsIn(formats)
  const isOfUri = ({ source }: Pattern) => source.includes('%[0-9a-f]{2}')
  return literals.filter((each) => !sources.has(each.source) && !isOfUri(each))
}

/** Patterns of schemas, which Ajv compiles with the flag u. */
function patternsOf(value: unknown): Pattern[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    key === 'pattern' && typeof part === 'string'
      ? [{ source: part, flags: 'u', place: 'openapi.json' }]
      : patternsOf(part),
  )
}

function distinct(all: Pattern[]): Pattern[] {
  return [...new Map(all.map((each) => [`${each.flags} ${each.source}`, each])).values()]
}

async function findingOf({ source, flags, place }: Pattern): Promise<string[]> {
  const pattern = `/${source}/${flags}`
  if (judged.has(source) || safe.has(pattern)) return []
  // Loaded only for a pattern that is new: it is large.
  const { check } = await import('recheck')
  // The automaton checker is exact; a pattern that it cannot handle needs a review. All patterns are
  // checked at once, so that on a busy machine one takes minutes.
  const verdict = await check(source, flags, { checker: 'automaton', timeout: 600_000 })
  if (verdict.status === 'safe') {
    safe.add(pattern)
    return []
  }
  const why =
    verdict.status === 'vulnerable'
      ? `${verdict.complexity.summary}, as on ${verdict.attack.pattern}`
      : `not known to be linear: ${verdict.error.kind}`
  return [`${place}: ${pattern} is ${why}`]
}
