import type { Statement } from './protocol.ts'

/** PostgreSQL's row header plus the line pointer in the page. */
export const rowHeaderBytes = 28

const fixedBytes = 8

/** Roughly what the rows take that these statements write: the bytes of their parameters. */
export const parameterBytes = (statements: readonly Statement[]): number =>
  statements.reduce((sum, { parameters }) => sum + rowHeaderBytes + sumOf(parameters), 0)

function sumOf(values: readonly unknown[]): number {
  let sum = 0
  for (const value of values) sum += bytesOf(value)
  return sum
}

function bytesOf(value: unknown): number {
  if (value === null || value === undefined) return 0
  if (typeof value === 'string') return Buffer.byteLength(value)
  return Array.isArray(value) ? sumOf(value) : fixedBytes
}
