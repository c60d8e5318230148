import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Memory that one hash needs while it is computed. */
const hashMb = 19

const program = `
  import { passwordHasher } from '${root}/server/src/identity/passwords.ts'
  const { hash } = passwordHasher()
  const login = () => hash('correct horse battery staple', 'known login')
  const before = process.memoryUsage.rss()
  for (let pair = 0; pair < 6; pair += 1) await Promise.all([login(), login()])
  console.log(process.memoryUsage.rss() - before)`

test('password hashing retains less memory than a single hash needs', async () => {
  const [setting = '', exec, node, ...options] = scripts.start.split(' ')
  const flags = options.filter((option: string) => option.startsWith('--'))
  const [name, value] = setting.split('=')
  const env = { PATH: process.env.PATH, [name]: value }
  expect([exec, node]).toEqual(['exec', 'node'])
  const run = promisify(execFile)
  const words = [...flags, '--input-type=module-typescript', '--eval', program]
  const { stdout } = await run(process.execPath, words, { env })
  expect(Number(stdout) / 1024 / 1024).toBeLessThan(hashMb)
})
