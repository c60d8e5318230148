/** The text of a file, and how it was encoded. */
export type Decoded = { readonly text: string; readonly encoding: Encoding }

type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252'

/** Networks write UTF-8 and UTF-16, spreadsheets on Windows also the code page of the machine. */
export function decode(bytes: Uint8Array): Decoded {
  const wide = wideIn(bytes)
  if (wide) return { text: new TextDecoder(wide).decode(bytes), encoding: 'UTF-16' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' }
  }
}

/** By the byte order mark, or by the zeros that English text has in every second byte. */
function wideIn([first, second, third, fourth]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (second === 0 && fourth === 0 && first && third) return 'utf-16le'
  return first === 0 && third === 0 && second && fourth ? 'utf-16be' : undefined
}
