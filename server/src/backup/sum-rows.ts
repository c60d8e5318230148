import { createHash, hash } from 'node:crypto'
import type { Sum } from './format.ts'

const newline = 10
const bits = 256

/** Counts rows and adds up their SHA-256 digests, so that their order does not matter. */
export function sumRows(): { add(chunk: Buffer): void; result(): Sum } {
  let rows = 0
  let sum = 0n
  let partial: Buffer[] = []

  function count(digest: string): void {
    rows += 1
    sum = BigInt.asUintN(bits, sum + BigInt(`0x${digest}`))
  }

  function digestOf(end: Buffer): string {
    if (partial.length === 0) return hash('sha256', end)
    const digest = createHash('sha256')
    for (const part of [...partial, end]) digest.update(part)
    partial = []
    return digest.digest('hex')
  }

  return {
    add: (chunk) => {
      let from = 0
      for (;;) {
        const end = chunk.indexOf(newline, from)
        if (end === -1) break
        count(digestOf(chunk.subarray(from, end)))
        from = end + 1
      }
      if (from < chunk.length) partial.push(chunk.subarray(from))
    },
    result: () => ({ rows, sha256_sum: sum.toString(16).padStart(bits / 4, '0') }),
  }
}
