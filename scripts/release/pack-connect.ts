/** `node scripts/release/pack-connect.ts [directory]`: builds the kit of connectors and packs it as npm would publish it. */
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../run.ts'
import { npmPack, succeed } from './npm-pack.ts'
import { buildSdk } from './pack-sdk.ts'

const kit = join(root, 'connectors/kit')

/** Answers the path of the tarball. */
export async function packConnect(into: string): Promise<string> {
  const staging = await mkdtemp(join(tmpdir(), 'flightdeck-connect-'))
  try {
    // Its types are those of the SDK as it is published.
    await buildSdk()
    const compiler = join(root, 'node_modules/.bin/tsc')
    const project = join(kit, 'tsconfig.build.json')
    await succeed(compiler, ['-p', project, '--outDir', join(staging, 'dist')])
    await writeFile(join(staging, 'package.json'), JSON.stringify(await manifest(), null, 2))
    await copyFile(join(kit, 'README.md'), join(staging, 'README.md'))
    await copyFile(join(root, 'LICENSE'), join(staging, 'LICENSE'))
    return await npmPack(staging, into)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function manifest() {
  const source = JSON.parse(await readFile(join(kit, 'package.json'), 'utf8'))
  const exports = Object.entries<string>(source.exports).map(([path, file]) => [path, built(file)])
  return { ...source, sideEffects: false, exports: Object.fromEntries(exports), files: ['dist'] }
}

/** The files that the compiler makes of `./src/connect.ts`. */
function built(file: string) {
  const stem = file.replace('./src/', './dist/').replace(/\.ts$/, '')
  return { types: `${stem}.d.ts`, default: `${stem}.js` }
}

if (import.meta.main) console.log(await packConnect(process.argv[2] ?? '.'))
