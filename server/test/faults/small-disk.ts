import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of some megabytes that can be filled completely. */
export type SmallDisk = {
  path: string
  fill(): Promise<void>
  makeSpace(): Promise<void>
  remove(): void
}

/** Null when this process may not mount a disk. */
export function smallDisk(megabytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'flightdeck-disk-'))
  const options = `size=${megabytes}m,mode=0755`
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path]).status !== 0) {
    rmdirSync(path)
    return null
  }
  const ballast = join(path, 'ballast')
  return {
    path,
    fill: () => writeUntilFull(ballast),
    makeSpace: () => rm(ballast),
    remove: () => {
      spawnSync('umount', ['-l', path])
      rmdirSync(path)
    },
  }
}

const block = Buffer.alloc(4096)

async function writeUntilFull(path: string): Promise<void> {
  const file = createWriteStream(path, { flags: 'a' })
  const full = once(file, 'error')
  let isFull = false
  void full.then(() => {
    isFull = true
  })
  while (!isFull) {
    if (!file.write(block)) await Promise.race([once(file, 'drain').catch(() => {}), full])
  }
}
