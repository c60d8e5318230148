/**
 * Fails when the console has become too heavy: what its first view loads, what a further screen
 * adds, and all of it, compressed by gzip as built. `--list` shows each.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { root } from '../run.ts'

const most = { firstView: 200_000, firstScript: 180_000, further: 30_000, all: 450_000 }

/** The screen that people come for: with the login it is the first view. */
const firstScreen = '/campaigns'

type Chunk = {
  file: string
  css?: string[]
  imports?: string[]
  isDynamicEntry?: boolean
}
type Manifest = Readonly<Record<string, Chunk>>

const workspace = join(root, 'console')

async function screenSource(path: string): Promise<string> {
  const router = await readFile(join(workspace, 'src/router.tsx'), 'utf8')
  const [, after = ''] = router.split(`'${path}',`)
  const found = /import\('\.\/([^']+)'\)/.exec(after)
  if (!found?.[1]) throw new Error(`console/src/router.tsx has no screen ${path}`)
  return `src/${found[1]}`
}

async function main(): Promise<void> {
  const outDir = await mkdtemp(join(tmpdir(), 'flightdeck-console-'))
  try {
    process.env.NODE_ENV = 'production'
    const configFile = join(workspace, 'vite.config.ts')
    await build({ configFile, logLevel: 'warn', build: { outDir, manifest: true } })
    const manifest = JSON.parse(await readFile(join(outDir, '.vite/manifest.json'), 'utf8'))
    await judge(manifest, outDir)
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}

/** The files that a chunk needs, with those of what it imports. */
function filesOf(manifest: Manifest, name: string, seen = new Set<string>()): ReadonlySet<string> {
  const chunk = manifest[name]
  if (!chunk) throw new Error(`the build has no ${name}`)
  if (seen.has(chunk.file)) return seen
  for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file)
  for (const imported of chunk.imports ?? []) filesOf(manifest, imported, seen)
  return seen
}

async function weightOf(outDir: string, files: Iterable<string>): Promise<number> {
  const sizes = [...files].map(async (file) => {
    const content = await readFile(join(outDir, file))
    return gzipSync(content, { level: 9 }).length
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

async function judge(manifest: Manifest, outDir: string): Promise<void> {
  const screen = await screenSource(firstScreen)
  const first = new Set([...filesOf(manifest, 'index.html'), ...filesOf(manifest, screen)])
  const scripts = [...first].filter((file) => file.endsWith('.js'))
  const all = Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css])
  const further = Object.entries(manifest)
    .filter(([name, { isDynamicEntry }]) => isDynamicEntry && name !== screen)
    .map(([name]) => ({ name, files: filesOf(manifest, name).difference(first) }))
  const budgets: readonly Budget[] = [
    { what: 'the first view, from login to the campaigns', limit: most.firstView, files: first },
    { what: 'the script of the first view', limit: most.firstScript, files: scripts },
    ...further.map(({ name, files }) => ({ what: name, limit: most.further, files })),
    { what: 'the whole console', limit: most.all, files: new Set(all) },
  ]
  for (const budget of budgets) await hold(budget, outDir)
}

type Budget = { what: string; limit: number; files: Iterable<string> }

async function hold({ what, limit, files }: Budget, outDir: string): Promise<void> {
  const bytes = await weightOf(outDir, files)
  const text = `${what}: ${kilobytes(bytes)} of at most ${kilobytes(limit)} kB`
  if (process.argv.includes('--list')) console.log(text)
  if (bytes <= limit) return
  console.error(text)
  process.exitCode = 1
}

const kilobytes = (bytes: number) => (bytes / 1_000).toFixed(1)

if (import.meta.main) await main()
