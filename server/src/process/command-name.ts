import { existsSync } from 'node:fs'

/** How to run this command line from here. Without a local one, npx would fetch another package. */
export const commandName = (): string =>
  existsSync('node_modules/.bin/flightdeck') ? 'npx flightdeck' : quoted(process.argv[1] ?? '')

/** As one word of a shell. */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
