import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root, run } from '../run.ts'

/** Verdicts of earlier runs that found something right, by digest. Faults are not kept. */
export type Kept = {
  has(text: string): boolean
  add(text: string): void
  /** Stores those that this run has asked for or added. */
  store(): Promise<void>
}

/** `judge`: name and version of what finds them right; another one judges all again. */
export async function openKept(name: string, judge: string): Promise<Kept> {
  const path = join(root, `node_modules/.cache/flightdeck/${name}.json`)
  const stored = new Set<string>(await readFile(path, 'utf8').then(JSON.parse, () => []))
  const used = new Set<string>()
  const digestOf = (text: string) =>
    createHash('sha256').update(`${judge}\n${text}`).digest('base64url')
  return {
    has: (text) => {
      const digest = digestOf(text)
      if (stored.has(digest)) used.add(digest)
      return stored.has(digest)
    },
    add: (text) => void used.add(digestOf(text)),
    store: async () => {
      await mkdir(dirname(path), { recursive: true })
      // Renamed into place: another check may read it at the same time.
      await writeFile(`${path}.${process.pid}`, JSON.stringify([...used].sort()))
      await rename(`${path}.${process.pid}`, path)
    },
  }
}

/** A digest of files as they are in the work tree, by patterns of git; new ones count, ignored ones do not. */
export async function digestOfFiles(patterns: readonly string[]): Promise<string> {
  const options = ['--cached', '--others', '--exclude-standard', '--deduplicate']
  const { ok, output } = await run('git', ['ls-files', ...options, '--', ...patterns])
  if (!ok) throw new Error(output)
  const hash = createHash('sha256')
  for (const file of output.split('\n').sort()) {
    // One that is deleted, but not yet in the index, has no content.
    const content = await readFile(join(root, file)).catch(() => null)
    if (content) hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('base64url')
}
