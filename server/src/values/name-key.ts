import { sha256Hex } from './canonical-json.ts'

/** In an index, where an entry has at most a third of a page. */
const maxKeyBytes = 1_000

/**
 * A name as it is compared where none may be there twice: trimmed, NFKC, case folded; the hash of
 * one that is very long in this form.
 */
export function nameKey(name: string): string {
  // To capitals and back, as some letters become two there; the final sigma is one like the others.
  const cased = name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase()
  const key = cased.replaceAll('ς', 'σ').normalize('NFKC').trim()
  return Buffer.byteLength(key) > maxKeyBytes ? sha256Hex(key) : key
}
