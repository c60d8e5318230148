/**
 * `node scripts/build-console.ts [--if-possible] [--out directory]`: builds the console into
 * server/console, with each file compressed beside it. npm runs it after an installation, which may
 * lack what it needs.
 */
import { glob, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { root } from './run.ts'

const { values } = parseArgs({
  options: { 'if-possible': { type: 'boolean' }, out: { type: 'string' } },
})
const workspace = join(root, 'console')
const outDir = values.out === undefined ? join(root, 'server/console') : resolve(values.out)

function hasVite(): boolean {
  try {
    createRequire(join(workspace, 'package.json')).resolve('vite')
    return true
  } catch {
    return false
  }
}

async function build(): Promise<void> {
  // Whatever it says here would be built in.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  const configFile = join(workspace, 'vite.config.ts')
  await build({ configFile, logLevel: 'warn', build: { outDir } })
  const paths = await Array.fromAsync(glob('assets/*.{js,css,svg}', { cwd: outDir }))
  await Promise.all(paths.map((path) => compress(join(outDir, path))))
}

const br = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }

async function compress(path: string): Promise<void> {
  const content = await readFile(path)
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, br))
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
}

if (hasVite()) await build()
else if (values['if-possible']) {
  console.log('The console is not built: its packages are not installed.')
} else {
  console.error('The packages of the console are not installed: run npm ci.')
  process.exitCode = 1
}
