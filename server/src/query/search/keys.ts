/**
 * Numbers that stand for parts of texts in an index of searches. A text has a number for each one, two and
 * three letters in a row; the numbers of a word are among those of all texts that it is a part of. Others
 * may have them by chance: what is found is compared with the words again.
 */
import { partsOf } from './similar.ts'

/** Longer words are found by the letters that they have at their beginning. */
const maxLetters = 60

/** Numbers of a text, of which short words may be a part. */
export const keysOfText = (organizationId: string, text: string): number[] =>
  text
    .split(/\s+/u)
    .flatMap((word) => [1, 2, 3].flatMap((length) => keys(organizationId, word, length)))

/** Numbers of an id, of which only long words are a part. */
export const keysOfId = (organizationId: string, id: string): number[] =>
  keys(organizationId, id, 3)

/** Numbers that all texts have that the word is a part of. */
export const keysOfWord = (organizationId: string, word: string): number[] => [
  ...new Set(keys(organizationId, word.slice(0, maxLetters), Math.min(word.length, 3))),
]

/** Numbers of a word by which those that are like it are found. */
export const keysOfParts = (organizationId: string, word: string): number[] =>
  // A word that only begins with the same letter is not like it.
  partsOf(word)
    .filter((part) => !part.startsWith('  '))
    .map((part) => hash(part, hash(`${organizationId} `)))

export const keyOfReference = (organizationId: string, id: string): number =>
  hash(id, hash(`${organizationId} `))

function keys(organizationId: string, word: string, length: number): number[] {
  const ofOrganization = hash(`${organizationId} `)
  return Array.from({ length: Math.max(word.length - length + 1, 0) }, (_, at) =>
    hash(word.slice(at, at + length), ofOrganization),
  )
}

/** FNV-1a, which is short, fast and spreads well; `before` is the hash of what stands before the text. */
function hash(text: string, before = 0x811c9dc5): number {
  let state = before
  for (let at = 0; at < text.length; at += 1) {
    state ^= text.charCodeAt(at)
    state = Math.imul(state, 0x01000193)
  }
  return state | 0
}
