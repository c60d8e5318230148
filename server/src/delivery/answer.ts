import type { IncomingHttpHeaders } from 'node:http'

const maxReadBytes = 65_536
const maxStoredBytes = 16_384
const maxHeaders = 50
const maxHeaderLength = 1024

/** As much of a receiver's answer as was read so far. */
export type ReceivedResponse = {
  status: number | null
  headers: IncomingHttpHeaders
  /** What is stored of the body, and little more. */
  chunks: Buffer[]
  /** Bytes that were read of the body. */
  size: number
}

export const emptyResponse = (): ReceivedResponse => ({
  status: null,
  headers: {},
  chunks: [],
  size: 0,
})

/** Early hints and such come before an answer, and are none. */
export function addHead(
  answer: ReceivedResponse,
  status: number,
  headers: IncomingHttpHeaders,
): void {
  if (status < 200) return
  answer.status = status
  answer.headers = headers
}

/** Whether there is room for more: 64 KiB are read. */
export function addChunk(answer: ReceivedResponse, chunk: Buffer): boolean {
  if (answer.size < maxStoredBytes) answer.chunks.push(chunk)
  answer.size = Math.min(answer.size + chunk.length, maxReadBytes)
  return answer.size < maxReadBytes
}

/**
 * The first 16 KiB as text that PostgreSQL can hold: bytes that are not UTF-8 are replaced, NUL is
 * left out. Nothing is decompressed: `[gzip, 1234 bytes]`. Null without an answer.
 */
export function bodyText(answer: ReceivedResponse): string | null {
  if (answer.status === null) return null
  const encoding = String(answer.headers['content-encoding'] ?? 'identity').slice(0, 40)
  if (encoding.toLowerCase() !== 'identity') return `[${encoding}, ${answer.size} bytes]`
  if (answer.size === 0) return ''
  const bytes = Buffer.concat(answer.chunks, Math.min(answer.size, maxStoredBytes))
  // A character that the cut goes through is left out.
  const stream = answer.size > maxStoredBytes
  return new TextDecoder().decode(bytes, { stream }).replaceAll('\0', '')
}

/** At most 50 of at most 1 KiB, `retry-after` among them, and no cookies. Null without an answer. */
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
