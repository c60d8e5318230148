import { type TSchema, Type } from 'typebox'
import { plain } from '../../values/plain.ts'
import { type FilterRead, refused, type Words } from '../filters.ts'

const maxLength = 255
const maxWords = 20

/** The parameter `q`: words, of which each is part of what is described. */
export const wordsSchema = (description: string): TSchema =>
  Type.String({
    maxLength,
    description: `Words, in any order: each is part of ${description}, regardless of case and accents. At most ${maxWords}.`,
  })

/** The different words of a text, plain. */
export const wordsOf = (text: string): string[] => [
  ...new Set(
    plain(text)
      .split(/\s+/u)
      .filter((word) => word !== ''),
  ),
]

/** The words to find, or why they are refused. */
export function readWords(
  text: string,
  name: string,
): { words: Words } | Extract<FilterRead, { fault: unknown }> {
  if ([...text].length > maxLength) {
    const message = `has at most ${maxLength} characters`
    return refused(name, 'too_long', { message, limit: maxLength })
  }
  const words = wordsOf(text)
  if (words.length > maxWords) {
    const message = `has at most ${maxWords} words`
    return refused(name, 'too_many_items', { message, limit: maxWords })
  }
  return { words: words.map((word) => [word]) }
}
