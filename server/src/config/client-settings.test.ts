import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const commands = join(import.meta.dirname, '../../../cli/src')

test('what the commands of the API read is no fault of the service beside them', async () => {
  const names = new Set<string>()
  for await (const file of glob('**/*.ts', { cwd: commands })) {
    const text = await readFile(join(commands, file), 'utf8')
    for (const [name] of text.matchAll(/\bFLIGHTDECK_[A-Z_]+\b/g)) names.add(name)
  }
  expect([...names]).toEqual(expect.arrayContaining(['FLIGHTDECK_CONFIG_DIR', 'FLIGHTDECK_URL']))
  const env = Object.fromEntries([...names].map((name) => [name, 'http://127.0.0.1:8080']))
  expect(() => readConfig(env)).not.toThrow()
  expect(() => readConfig({ ...env, FLIGHTDECK_CONFIG_DIRS: 'x' })).toThrow('is not a setting')
})
