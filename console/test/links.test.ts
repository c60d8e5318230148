import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Requests of the console's pages, which are no screens. */
const requests = ['session']

test('every address of the console in mails, messages and answers is a screen', async () => {
  const router = await readFile(join(root, 'console/src/router.tsx'), 'utf8')
  const screens = new Set([...router.matchAll(/'\/([\w-]+)[/\w$-]*',/g)].map(([, name]) => name))
  const written = new Set<string>()
  for await (const file of glob('server/src/**/*.ts', { cwd: root })) {
    if (file.endsWith('.test.ts')) continue
    const text = await readFile(join(root, file), 'utf8')
    for (const [, name = ''] of text.matchAll(/\/console\/([\w-]+)/g)) written.add(name)
  }
  const names = [...written].filter((name) => !requests.includes(name))
  expect(names).toEqual(expect.arrayContaining(['device', 'forgotten', 'inbox', 'reports']))
  expect(names.filter((name) => !screens.has(name))).toEqual([])
})
