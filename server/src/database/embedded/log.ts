import { copyFile, open, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'

/** The file that PostgreSQL writes its messages to. */
export type PostgresLog = { fd: number; tail(): Promise<string>; close(): Promise<void> }

const LOG_FILE = 'postgres.log'
const MAX_BYTES = 16 * 1024 * 1024
const TAIL_BYTES = 8 * 1024
const CHECK_EVERY_MS = 60_000

/** A new log. A file, not a pipe: PostgreSQL may outlive the service, and must still write. */
export async function openLog(dataDir: string): Promise<PostgresLog> {
  const path = join(dataDir, LOG_FILE)
  // Replaced, not truncated: an ordinary user cannot write to a file that root left.
  await rm(path, { force: true })
  const file = await open(path, 'a', 0o600)
  const timer = setInterval(() => void turnOver(path).catch(() => {}), CHECK_EVERY_MS).unref()
  const close = async () => {
    clearInterval(timer)
    await file.close()
  }
  return { fd: file.fd, tail: () => readTail(path), close }
}

/** Copied and truncated, not renamed, as PostgreSQL keeps appending to the open file. */
async function turnOver(path: string): Promise<void> {
  const { size } = await stat(path)
  if (size < MAX_BYTES) return
  await copyFile(path, `${path}.1`)
  await truncate(path)
}

async function readTail(path: string): Promise<string> {
  await using file = await open(path, 'r')
  const { size } = await file.stat()
  const length = Math.min(size, TAIL_BYTES)
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
  return buffer.toString('utf8')
}
