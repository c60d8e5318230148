/** A number that a double cannot represent exactly, as its source text. */
export class ExactNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Any decimal with this many digits survives conversion to a double and back. */
export const exactDigits = 15

/** Whether a double represents the number text exactly. */
export function isExact(text: string): boolean {
  const digits = significantDigits(text)
  const size = Math.abs(Number(text))
  return digits === 0 || (digits <= exactDigits && size > 1e-300 && Number.isFinite(size))
}

/** From the first nonzero digit to the last, without point and exponent. */
function significantDigits(text: string): number {
  let digits = 0
  let zeros = 0
  for (const character of text) {
    if (character === 'e' || character === 'E') break
    if (character === '-' || character === '.') continue
    if (character === '0') zeros += digits > 0 ? 1 : 0
    else {
      digits += zeros + 1
      zeros = 0
    }
  }
  return digits
}
