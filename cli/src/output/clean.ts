/** Characters that steer a terminal, or turn the direction of text. */
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu

/** Text of others for a terminal: one line, without control and direction characters. */
export const clean = (text: string): string => text.replaceAll(unsafe, ' ')

export const cut = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text
