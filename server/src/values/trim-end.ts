/**
 * Removes trailing repetitions of a character. The regular expression for it takes quadratic time.
 */
export function trimEnd(text: string, character: string): string {
  let end = text.length
  while (text[end - 1] === character) end -= 1
  return text.slice(0, end)
}
