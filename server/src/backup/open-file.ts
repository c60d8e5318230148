import { timingSafeEqual } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { errorMessage } from '../values/errors.ts'
import { type FileKey, otherKey } from './file-key.ts'
import {
  BackupError,
  type BlockKind,
  DamagedBackup,
  digestAfter,
  digestBytes,
  fingerprintBytes,
  firstDigest,
  headBytes,
  magic,
  maxBlockBytes,
  readHead,
  type Sum,
} from './format.ts'
import { type BackupTable, type Header, parseHeader } from './header.ts'
import { sumRows } from './sum-rows.ts'

const decompress = promisify(zstdDecompress)

/**
 * A backup file, read sequentially. Everything is authenticated before it is returned: it was
 * written with this key.
 */
export type BackupFile = {
  readonly header: Header
  readonly bytes: number
  /** The rows of the header's next table, in COPY's text format. */
  rowsOf(table: BackupTable): AsyncGenerator<Buffer>
  /** The checksums of the tables read so far, by name. */
  readonly sums: ReadonlyMap<string, Sum>
  /** Call after the last table: checks that nothing is missing and nothing follows. */
  end(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export async function openBackup(path: string, key: FileKey): Promise<BackupFile> {
  const file = await open(path).catch((error: Error) => {
    throw new BackupError(`${path} cannot be read: ${error.message}`, { cause: error })
  })
  try {
    return await read({ file, path, key })
  } catch (error) {
    await file.close()
    throw error
  }
}

type Opened = { file: FileHandle; path: string; key: FileKey }

async function read({ file, path, key }: Opened): Promise<BackupFile> {
  const { size } = await file.stat()
  await checkMagic(file, path)
  const blocks = blocksOf(file, size, key)
  const sums = new Map<string, Sum>()
  const header = parseHeader((await blocks.first()).payload.toString())
  return {
    header,
    bytes: size,
    sums,
    rowsOf: async function* (table) {
      const sum = sumRows()
      for (;;) {
        const block = await blocks.next('rows', 'table')
        if (block.kind === 'table') {
          checkTable(block, table, sum.result())
          sums.set(table.name, sum.result())
          return
        }
        const rows = await unpack(block)
        sum.add(rows)
        yield rows
      }
    },
    end: async () => {
      const { next } = await blocks.next('end')
      if (next < size) {
        throw new DamagedBackup(next, `${size - next} bytes follow the end of the backup`)
      }
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}

async function checkMagic(file: FileHandle, path: string): Promise<void> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0)
  const begin = buffer.subarray(0, bytesRead)
  if (begin.equals(magic)) return
  const other = /^flightdeck backup (\d+)\n/.exec(begin.toString('latin1'))
  if (!other) throw new DamagedBackup(0, 'this is not the beginning of a Flightdeck backup')
  const advice =
    other[1] === '1' ? ' Its digests need no key, so anyone can forge them: create a new one.' : ''
  throw new BackupError(
    `${path} has format ${other[1]}, which this version does not read.${advice}`,
  )
}

type Block = { kind: BlockKind; payload: Buffer; at: number; next: number }

function blocksOf(file: FileHandle, size: number, key: FileKey) {
  let digest = firstDigest(key)
  let at = magic.length

  async function take(length: number, from: number): Promise<Buffer> {
    const isInFile = from + length <= size
    const target = Buffer.allocUnsafe(isInFile ? length : 0)
    const { bytesRead, buffer } = await file.read(target, 0, target.length, from)
    if (isInFile && bytesRead === length) return buffer
    throw new DamagedBackup(at, `the file ends at byte ${size}, before the end of the backup`)
  }

  async function next(...expected: BlockKind[]): Promise<Block> {
    const head = await take(headBytes, at)
    const { kind, length } = readHead(head)
    if (kind === undefined || length > maxBlockBytes) {
      throw new DamagedBackup(at, 'this is not the beginning of a block')
    }
    const rest = await take(length + digestBytes, at + headBytes)
    const payload = rest.subarray(0, length)
    digest = digestAfter(key, digest, head, payload)
    const end = at + headBytes + rest.length
    if (!timingSafeEqual(digest, rest.subarray(length))) {
      throw new DamagedBackup(at, `the block up to byte ${end} does not match its digest`)
    }
    const block = { kind, payload, at, next: end }
    if (!expected.includes(kind)) throw misplaced(block)
    at = end
    return block
  }

  /** Reads the header. If its digest does not match, the fingerprint shows whether the key is wrong. */
  async function first(): Promise<Block> {
    const fingerprint = await take(fingerprintBytes, at)
    const isOurs = fingerprint.equals(key.fingerprint)
    at += fingerprintBytes
    const header = await next('header').catch((error) => {
      throw isOurs ? error : otherKey()
    })
    if (isOurs) return header
    throw new DamagedBackup(magic.length, 'the fingerprint of its master key has changed')
  }

  return { first, next }
}

const misplaced = ({ kind, at }: Block) =>
  new DamagedBackup(at, `a block of kind "${kind}" does not belong here`)

async function unpack({ payload, at }: Block): Promise<Buffer> {
  try {
    return await decompress(payload, { maxOutputLength: maxBlockBytes })
  } catch (cause) {
    throw new DamagedBackup(at, `the rows cannot be decompressed: ${errorMessage(cause)}`)
  }
}

const WrittenSum = Type.Object({ name: Type.String(), sha256_sum: Type.String() })

function checkTable(block: Block, { name, rows }: BackupTable, sum: Sum): void {
  const written: unknown = JSON.parse(block.payload.toString())
  const isAsWritten =
    Check(WrittenSum, written) && written.name === name && written.sha256_sum === sum.sha256_sum
  if (!isAsWritten || sum.rows !== rows) {
    throw new DamagedBackup(block.at, `the rows of ${name} are not those that were counted`)
  }
}
