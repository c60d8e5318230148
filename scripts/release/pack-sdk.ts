/** `node scripts/release/pack-sdk.ts [directory]`: builds the SDK and packs it as npm would publish it. */
import { copyFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../run.ts'
import { npmPack, succeed } from './npm-pack.ts'

/** By which the repository's own tools resolve the SDK to its TypeScript. */
const sourceCondition = 'flightdeck-source'

/** Answers the path of the tarball. */
export async function packSdk(into: string): Promise<string> {
  const staging = await mkdtemp(join(tmpdir(), 'flightdeck-sdk-'))
  try {
    await buildSdk()
    await cp(join(root, 'sdk/dist'), join(staging, 'dist'), { recursive: true })
    await writeFile(join(staging, 'package.json'), JSON.stringify(await manifest(), null, 2))
    await copyFile(join(root, 'sdk/README.md'), join(staging, 'README.md'))
    await copyFile(join(root, 'LICENSE'), join(staging, 'LICENSE'))
    return await npmPack(staging, into)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** Builds the files that Node.js imports in the repository too. */
export const buildSdk = () => succeed(process.execPath, ['sdk/prepare.js'])

async function manifest() {
  const { name, version, description, license, type, engines, repository, exports } = JSON.parse(
    await readFile(join(root, 'sdk/package.json'), 'utf8'),
  )
  const built = Object.entries<Record<string, string>>(exports).map(([path, conditions]) => {
    const { [sourceCondition]: _, ...others } = conditions
    return [path, others]
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
