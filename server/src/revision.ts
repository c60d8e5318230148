import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Written where a build leaves git: into the package and the image. */
export const revisionFile = 'revision.json'

const commit = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

/** The commit that this code is from: as baked into the build, or as checked out; else null. */
export function readRevision(source: string): string | null {
  const baked = read(join(source, revisionFile))
  const found = baked === null ? checkedOut(join(source, '../..')) : Object(parsed(baked)).revision
  return typeof found === 'string' && commit.test(found) ? found : null
}

/** Reads what git has written: the program may be absent, or refuse another user's directory. */
function checkedOut(root: string): string | null {
  const dir = gitDirOf(root)
  const head = read(join(dir, 'HEAD'))?.trim()
  const ref = head?.startsWith('ref: ') ? head.slice('ref: '.length) : null
  return ref === null ? (head ?? null) : commitOf(ref, dir)
}

/** `.git` itself or, in another work tree of the clone, where that file leads. */
function gitDirOf(root: string): string {
  const [, path] = /^gitdir: (.+)$/m.exec(read(join(root, '.git')) ?? '') ?? []
  return resolve(root, path ?? '.git')
}

function commitOf(ref: string, dir: string): string | null {
  const common = resolve(dir, read(join(dir, 'commondir'))?.trim() ?? '.')
  const loose = read(join(dir, ref)) ?? read(join(common, ref))
  if (loose !== null) return loose.trim()
  const packed = read(join(common, 'packed-refs')) ?? ''
  const line = packed.split('\n').find((each) => each.endsWith(` ${ref}`))
  return line?.split(' ', 1)[0] ?? null
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
