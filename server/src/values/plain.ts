/** A text as searches compare it: NFKD, without marks, case folded. `Öl` is `ol`, `Straße` `strasse`. */
export const plain = (text: string): string =>
  // To capitals first, as some letters become two there; the final sigma is one like the others.
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
