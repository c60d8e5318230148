import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../faults.ts'
import { readInput } from '../../terminal.ts'

export type Source = { file: string; text: string }

const most = { files: 1_000, bytes: 8 * 1024 * 1024, folders: 10_000 }

/** `flightdeck.yaml`, `acme.flightdeck.yaml`, and the same as JSON. */
const projectFile = /^(.+\.)?flightdeck\.(ya?ml|json)$/

/**
 * The texts of files, and of the project files below folders; `-` is standard input. Without paths
 * those below the working directory.
 */
export async function sourcesAt(paths: readonly string[]): Promise<Source[]> {
  const found = await Promise.all((paths.length === 0 ? ['.'] : paths).map(filesAt))
  const files = [...new Set(found.flat())]
  if (files.length === 0) {
    const where = paths.length === 0 ? 'here' : `below ${paths.join(', ')}`
    throw new UsageError(`No flightdeck.yaml and no *.flightdeck.yaml is ${where}.`)
  }
  if (files.length > most.files) {
    throw new UsageError(`${files.length} project files, at most ${most.files}.`)
  }
  return await Promise.all(files.map(read))
}

async function filesAt(path: string): Promise<string[]> {
  if (path === '-') return [path]
  const found = await stat(path).catch(() => null)
  if (!found) throw new UsageError(`${path} cannot be read.`)
  return found.isDirectory() ? await filesBelow(path) : [path]
}

/** Those of folders below too, but for hidden ones and those of packages. Links are not followed. */
async function filesBelow(folder: string): Promise<string[]> {
  const folders = [folder]
  const files: string[] = []
  for (const each of folders) {
    if (folders.length > most.folders) {
      throw new UsageError(`${folder} has too many folders: name the files.`)
    }
    const entries = await readdir(each, { withFileTypes: true })
    const within = (name: string) => (each === '.' ? name : join(each, name))
    folders.push(...entries.filter(isSearched).map(({ name }) => within(name)))
    const found = entries.filter((entry) => entry.isFile() && projectFile.test(entry.name))
    files.push(...found.map(({ name }) => within(name)))
  }
  return files.sort()
}

const isSearched = (entry: Dirent): boolean =>
  entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules'

async function read(file: string): Promise<Source> {
  if (file === '-') return { file: '(standard input)', text: await readInput() }
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read.`)
  })
  if (Buffer.byteLength(text) > most.bytes) {
    throw new UsageError(`${file} has more than ${most.bytes / 1024 / 1024} MiB.`)
  }
  return { file, text }
}
