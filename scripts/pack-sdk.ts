/** `node scripts/pack-sdk.ts [directory]`: builds the SDK and packs it as npm would publish it. */
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { npmPack, succeed } from './npm-pack.ts'
import { root } from './run.ts'

/** Answers the path of the tarball. */
export async function packSdk(into: string): Promise<string> {
  const staging = await mkdtemp(join(tmpdir(), 'flightdeck-sdk-'))
  try {
    await succeed('node_modules/.bin/tsc', [
      '-p',
      'sdk/tsconfig.build.json',
      '--outDir',
      join(staging, 'dist'),
    ])
    // As generated: the compiler would indent it by four.
    await copyFile(join(root, 'sdk/src/openapi.ts'), join(staging, 'dist/openapi.d.ts'))
    await writeFile(join(staging, 'package.json'), JSON.stringify(await manifest(), null, 2))
    await copyFile(join(root, 'sdk/README.md'), join(staging, 'README.md'))
    await copyFile(join(root, 'LICENSE'), join(staging, 'LICENSE'))
    return await npmPack(staging, into)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function manifest() {
  const { name, version, description, license, type, engines, repository, exports } = JSON.parse(
    await readFile(join(root, 'sdk/package.json'), 'utf8'),
  )
  const built = Object.entries(exports).map(([path, source]) => {
    const file = String(source).replace('./src/', './dist/').replace(/\.ts$/, '')
    return [path, { types: `${file}.d.ts`, default: `${file}.js` }]
  })
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    repository,
    sideEffects: false,
    exports: Object.fromEntries(built),
    files: ['dist'],
  }
}

if (import.meta.main) console.log(await packSdk(process.argv[2] ?? '.'))
