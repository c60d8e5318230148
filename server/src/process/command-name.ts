import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Stands at the root of a clone and of the image; an installed package has none. */
const launcher = join(import.meta.dirname, '../../../flightdeck')

/** How to run this command line from here. It is never npx's: that fetches what is not here. */
export function commandName(): string {
  const program = existsSync(launcher) ? launcher : (process.argv[1] ?? '')
  const fromHere = relative('', program)
  if (fromHere.startsWith('..')) return quoted(program)
  return quoted(fromHere.includes('/') ? fromHere : `./${fromHere}`)
}

/** As one word of a shell. */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
