/** A text as the service compares names: NFKD, without marks, regardless of case. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')

/** A test whether a text has all words that were typed, in any order, each a part of a word. */
export function finderOf(typed: string): (text: string) => boolean {
  const words = plain(typed).split(/\s+/u)
  return (text) => {
    const within = plain(text)
    return words.every((word) => within.includes(word))
  }
}
