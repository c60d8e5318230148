import { closeSync, openSync, readSync } from 'node:fs'
import { errorCode, errorMessage } from '../values/errors.ts'
import { type Environment, prefix } from './environment.ts'

/** No key, password or URL is as long. */
const maxBytes = 64 * 1024

/** The name of the setting that names a file with the value of a secret one. */
export const fileNameOf = (name: string): string => `${name}_FILE`

type ReadSecrets = { env: Environment; faults: string[] }

/**
 * The environment with the content of the files that hold secrets in place of their names. Faults
 * repeat neither: a secret may have been given where its file belongs.
 */
export function readSecretFiles(given: Environment, names: readonly string[]): ReadSecrets {
  const env = { ...given }
  const faults: string[] = []
  for (const name of names) {
    const file = given[prefix + fileNameOf(name)]?.trim()
    if (!file) continue
    try {
      if (given[prefix + name]?.trim()) throw new Error(`cannot go with ${prefix}${name}: give one`)
      env[prefix + name] = readSecretFile(file)
    } catch (error) {
      faults.push(`${prefix}${fileNameOf(name)}: ${errorMessage(error)}`)
    }
  }
  return { env, faults }
}

/** Without white space around it. Throws an error that does not name the path. */
export function readSecretFile(path: string): string {
  const text = readAtMost(path).trim()
  if (text === '') throw new Error('the file is empty')
  return text
}

/** Works with pipes too, as of `<(…)` in a shell. */
function readAtMost(path: string): string {
  const buffer = Buffer.alloc(maxBytes + 1)
  let bytes = 0
  const file = opened(path)
  try {
    for (let more = 1; more > 0 && bytes < buffer.length; bytes += more) {
      more = readSync(file, buffer, bytes, buffer.length - bytes, null)
    }
  } catch (error) {
    throw unreadable(error)
  } finally {
    closeSync(file)
  }
  if (bytes > maxBytes) throw new Error(`the file has more than ${maxBytes} bytes`)
  return buffer.toString('utf8', 0, bytes)
}

function opened(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    throw unreadable(error)
  }
}

const unreadable = (error: unknown) => new Error(`the file cannot be read (${errorCode(error)})`)
