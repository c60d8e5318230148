/** Preloaded with --import: writes to standard error how many files the process has loaded. */
import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'

let count = 0
registerHooks({
  load: (url, context, next) => {
    if (url.startsWith('file:')) count += 1
    return next(url, context)
  },
})
process.on('exit', () => writeSync(2, `loaded ${count} files\n`))
