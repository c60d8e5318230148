import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { main } from '../../src/main.ts'

export type Ended = { code: unknown; stdout: string; stderr: string }

/** Runs a command in this process, as its start would take most of the time. */
export async function run(...words: readonly string[]): Promise<Ended> {
  const written = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += typeof text === 'string' ? text : Buffer.from(text).toString()
      return true
    }),
  )
  process.stdout.setMaxListeners(0)
  try {
    await main(words)
    return { code: process.exitCode ?? 0, ...written }
  } finally {
    process.exitCode = undefined
    for (const spy of spies) spy.mockRestore()
  }
}

/** A folder with these files, for one test. */
export async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'flightdeck-project-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}
