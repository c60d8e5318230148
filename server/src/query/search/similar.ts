/** Words that are written nearly like others: those that have most parts of three letters in common. */
import type { Words } from '../filters.ts'

const minSimilarity = 0.3
/** A word is as good as the nearest one if it is at least this part as similar. */
const nearly = 0.8
const maxNearest = 4
/** A walk remembers them in its cursor. */
const maxSpellings = 8
const maxLength = 40

/** The words of a plain text that others may be mistaken for: letters only. */
export const lettersIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length >= 3 && word.length <= maxLength && !hasDigit(word)),
  ),
]

const hasDigit = (word: string): boolean => /\p{N}/u.test(word)

/** Parts of three letters; that a word begins or ends with a letter is part of it. */
export function partsOf(word: string): string[] {
  const padded = `  ${word} `
  return [
    ...new Set(Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3))),
  ]
}

/** The share of their parts that both have: 1 for the same word. */
export function similarity(one: string, other: string): number {
  const [parts, others] = [partsOf(one), new Set(partsOf(other))]
  const shared = parts.filter((part) => others.has(part)).length
  return shared / (parts.length + others.size - shared)
}

/** Words that may be meant by one, of all that a list has. */
export type Vocabulary = (word: string) => Promise<readonly string[]>

/**
 * The words, with the nearest ones in place of those that nothing has. Undefined where that finds no more:
 * each is known, or nothing is like one of them. What has a digit is a number or an id, which is not guessed.
 */
export async function nearestWords(
  words: Words,
  vocabularyOf: Vocabulary,
): Promise<Words | undefined> {
  const nearest = await Promise.all(
    words.map(([word = '']) => (mayBeMistaken(word) ? spellingsOf(word, vocabularyOf) : [word])),
  )
  const isReplaced = nearest.some((spellings, at) => spellings[0] !== words[at]?.[0])
  const count = nearest.flat().length
  const isFound = nearest.every((spellings) => spellings.length > 0)
  return isReplaced && isFound && count <= words.length + maxSpellings ? nearest : undefined
}

const mayBeMistaken = (word: string): boolean =>
  word.length >= 3 && word.length <= maxLength && !hasDigit(word)

async function spellingsOf(word: string, vocabularyOf: Vocabulary): Promise<readonly string[]> {
  const known = await vocabularyOf(word)
  if (known.some((each) => each.includes(word))) return [word]
  const judged = known
    .map((each) => ({ word: each, similarity: similarity(word, each) }))
    .filter((each) => each.similarity >= minSimilarity)
    .sort((one, other) => other.similarity - one.similarity || (one.word < other.word ? -1 : 1))
  const best = judged[0]?.similarity ?? 0
  return judged
    .filter((each) => each.similarity >= nearly * best)
    .slice(0, maxNearest)
    .map((each) => each.word)
}
