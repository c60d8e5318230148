import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { askHolder, takeLock } from './lock.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'data-dir-lock-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
})

async function take(owner = 'test') {
  const lock = await takeLock({ dataDir, socketPath: dataDir, shownAs: dataDir, owner })
  onTestFinished(lock.release)
  return lock
}

test.runIf(process.platform === 'linux')(
  'a socket name that others can guess does not block a start',
  async () => {
    const { dev, ino } = await stat(dataDir, { bigint: true })
    const name = createHash('sha256').update(`${dev}:${ino}`).digest('hex')
    const squatter = createServer().listen(`\0flightdeck-${name}`)
    onTestFinished(() => void squatter.close())
    await once(squatter, 'listening')
    await take()
  },
)

test('all files of the lock are in the data directory, closed to others', async () => {
  await take()
  expect((await readdir(dataDir)).sort()).toEqual(['flightdeck.pid', 'lock', 'lock.sock'])
  for (const name of ['lock', 'lock.sock']) {
    expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600)
  }
})

test('a lock whose socket file is gone is still held', async () => {
  await take()
  await rm(join(dataDir, 'lock.sock'))
  await expect(take()).rejects.toThrow(
    `is in use by a process that does not answer (pid ${process.pid})`,
  )
})

test('a copied directory of a running service is not locked', async () => {
  await writeFile(join(dataDir, 'lock'), '')
  await writeFile(join(dataDir, 'flightdeck.pid'), `${process.pid}\n`)
  await take('copy')
  expect(await askHolder(dataDir)).toMatchObject({ owner: 'copy' })
})
