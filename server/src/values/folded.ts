/** A text by which others sort regardless of case: Unicode's simple case folding. */
export const folded = (text: string): string =>
  isAscii(text) ? text.toLowerCase() : [...text].map(foldedLetter).join('')

export const isAscii = (text: string) => /^\p{ASCII}*$/u.test(text)

/** Letter by letter, as the case of some depends on their neighbors. */
function foldedLetter(letter: string): string {
  const lower = letter.toUpperCase().toLowerCase()
  // Some expand to two letters: ß to SS.
  return [...lower].length === 1 ? lower : letter.toLowerCase()
}
