import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from '../run.ts'

/** Patterns found safe by earlier runs: each takes the checker up to a second. Faults are not kept. */
export type SafePatterns = {
  has(pattern: string): boolean
  add(pattern: string): void
  /** Stores those that this run has asked for or added. */
  store(): Promise<void>
}

const path = join(root, 'node_modules/.cache/flightdeck/safe-patterns.json')

/** `checker`: name and version of what judged them; another one checks all again. */
export async function openSafePatterns(checker: string): Promise<SafePatterns> {
  const stored = new Set<string>(await readFile(path, 'utf8').then(JSON.parse, () => []))
  const used = new Set<string>()
  const digestOf = (pattern: string) =>
    createHash('sha256').update(`${checker}\n${pattern}`).digest('base64url')
  return {
    has: (pattern) => {
      const digest = digestOf(pattern)
      if (stored.has(digest)) used.add(digest)
      return stored.has(digest)
    },
    add: (pattern) => void used.add(digestOf(pattern)),
    store: async () => {
      await mkdir(dirname(path), { recursive: true })
      // Renamed into place: another check may read it at the same time.
      await writeFile(`${path}.${process.pid}`, JSON.stringify([...used].sort()))
      await rename(`${path}.${process.pid}`, path)
    },
  }
}
