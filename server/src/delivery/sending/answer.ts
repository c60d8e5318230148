import type { IncomingHttpHeaders } from 'node:http'

const maxReadBytes = 65_536
const maxStoredBytes = 16_384
const maxHeaders = 50
const maxHeaderLength = 1024

/** The part of a receiver's answer that was read so far. */
export type ReceivedResponse = {
  status: number | null
  headers: IncomingHttpHeaders
  /** The part of the body that is stored, and little more. */
  chunks: Buffer[]
  /** Bytes of the body read, at most 64 KiB. */
  size: number
}

export const emptyResponse = (): ReceivedResponse => ({
  status: null,
  headers: {},
  chunks: [],
  size: 0,
})

/** Sets status and headers. Informational responses (1xx, such as early hints) are ignored. */
export function addHead(
  answer: ReceivedResponse,
  status: number,
  headers: IncomingHttpHeaders,
): void {
  if (status < 200) return
  answer.status = status
  answer.headers = headers
}

/** Adds a chunk of the body; false once 64 KiB are read. */
export function addChunk(answer: ReceivedResponse, chunk: Buffer): boolean {
  if (answer.size < maxStoredBytes) answer.chunks.push(chunk)
  answer.size = Math.min(answer.size + chunk.length, maxReadBytes)
  return answer.size < maxReadBytes
}

/**
 * The first 16 KiB as text that PostgreSQL can store: bytes that are not UTF-8 are replaced, NUL is
 * dropped. Compressed bodies become `[gzip, 1234 bytes]`. Null without an answer.
 */
export function bodyText(answer: ReceivedResponse): string | null {
  if (answer.status === null) return null
  const encoding = String(answer.headers['content-encoding'] ?? 'identity').slice(0, 40)
  if (encoding.toLowerCase() !== 'identity') return `[${encoding}, ${answer.size} bytes]`
  if (answer.size === 0) return ''
  const bytes = Buffer.concat(answer.chunks, Math.min(answer.size, maxStoredBytes))
  // Streaming mode drops a character that the limit cuts in half.
  const stream = answer.size > maxStoredBytes
  return new TextDecoder().decode(bytes, { stream }).replaceAll('\0', '')
}

/** At most 50 headers of at most 1 KiB, with `retry-after`, without cookies. Null without an answer. */
export function storedHeaders(answer: ReceivedResponse): Record<string, string> | null {
  if (answer.status === null) return null
  const { headers } = answer
  const names = Object.keys(headers).filter((name) => !special.includes(name))
  if (headers['retry-after'] !== undefined) names.unshift('retry-after')
  const stored = names.slice(0, maxHeaders).map((name) => [name, storedValue(headers[name])])
  return Object.fromEntries(stored)
}

const special = ['set-cookie', 'retry-after']

const storedValue = (value: string | string[] = '') =>
  (Array.isArray(value) ? value.join(', ') : value).slice(0, maxHeaderLength).toWellFormed()
