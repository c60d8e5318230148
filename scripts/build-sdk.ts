/**
 * `node scripts/build-sdk.ts [--if-possible]`: builds the SDK, and packs it into server/sdk, from where
 * the service serves it. npm runs it after an installation, which may lack what it needs.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packSdk } from './release/pack-sdk.ts'
import { root } from './run.ts'

const needed = ['LICENSE', 'sdk/README.md', 'sdk/src', 'sdk/node_modules/typescript']
const missing = needed.filter((path) => !existsSync(join(root, path)))

if (missing.length === 0) await packSdk(join(root, 'server/sdk'))
else if (process.argv.includes('--if-possible')) {
  console.log(`The SDK is not packed: there is no ${missing.join(', ')}.`)
} else {
  console.error(`There is no ${missing.join(', ')}: run npm ci in a clone.`)
  process.exitCode = 1
}
