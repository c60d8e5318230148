/** A number of a body that a double cannot hold exactly: its text as it came. */
export class ExactNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Every decimal of so many digits survives the way through a double and back to text. */
export const exactDigits = 15

/** Whether a double holds what a JSON text of a number says. */
export function isExact(text: string): boolean {
  const digits = significantDigits(text)
  const size = Math.abs(Number(text))
  return digits === 0 || (digits <= exactDigits && size > 1e-300 && Number.isFinite(size))
}

/** From the first digit that is not zero to the last, without point and exponent. */
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
