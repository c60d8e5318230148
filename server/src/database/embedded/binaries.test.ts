import { chmod, mkdir, mkdtemp, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findPackage, locateBinaries, prepareBinaries } from './binaries.ts'

test('a platform without binaries gets instructions for another database', () => {
  expect(() => findPackage('plan9-mips')).toThrow(/plan9-mips.*optional.*FLIGHTDECK_DATABASE_URL/)
  expect(() => findPackage('win32-x64')).toThrow(/Windows.*FLIGHTDECK_DATABASE_URL/)
})

test('the binaries of this platform are found', async () => {
  const { major, postgres } = await locateBinaries()
  expect(major).toBe('18')
  expect((await stat(postgres)).mode & 0o111).toBe(0o111)
})

test('links and modes that npm omitted are restored', async () => {
  const root = await newPackage()
  const binaries = await prepareBinaries(root)
  expect((await stat(binaries.initdb)).mode & 0o777).toBe(0o755)
  expect(await readlink(join(root, 'native/lib/liba.so'))).toBe('liba.so.1')
  expect(await prepareBinaries(root)).toEqual(binaries)
})

test('an installation that cannot be completed is reported', async () => {
  const root = await newPackage()
  await rm(join(root, 'native/bin/postgres'))
  await expect(prepareBinaries(root)).rejects.toThrow(/incomplete.*postgres.*npm ci/)
})

async function newPackage(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'embedded-package-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await mkdir(join(root, 'native', 'bin'), { recursive: true })
  await mkdir(join(root, 'native', 'lib'))
  const links = [{ source: 'native/lib/liba.so.1', target: 'native/lib/liba.so' }]
  const files = {
    'package.json': JSON.stringify({ version: '18.4.0' }, null, 2),
    'native/pg-symlinks.json': JSON.stringify(links),
    'native/lib/liba.so.1': '',
    'native/bin/initdb': '',
    'native/bin/postgres': '',
  }
  for (const [path, content] of Object.entries(files)) await writeFile(join(root, path), content)
  await chmod(join(root, 'native/bin/initdb'), 0o644)
  return root
}
