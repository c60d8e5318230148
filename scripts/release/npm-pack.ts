import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { run } from '../run.ts'

/** Runs a program to its end; throws its output when it fails. */
export async function succeed(command: string, args: readonly string[]): Promise<string> {
  const { ok, output } = await run(command, args)
  if (!ok) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`)
  return output
}

/** Packs a directory as npm would publish it; answers the path of the tarball. */
export async function npmPack(directory: string, into: string): Promise<string> {
  await mkdir(into, { recursive: true })
  const args = ['pack', directory, '--pack-destination', into, '--json', '--ignore-scripts']
  const packed = await succeed('npm', args)
  const [{ filename }] = JSON.parse(packed.slice(packed.indexOf('['), packed.lastIndexOf(']') + 1))
  return resolve(into, filename)
}
