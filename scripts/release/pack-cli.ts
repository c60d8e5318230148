/** `node scripts/release/pack-cli.ts [directory]`: builds the command line and packs it as npm would publish it. */
import { chmod, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from '../run.ts'
import { npmPack } from './npm-pack.ts'

const cli = join(root, 'cli')

/** Answers the path of the tarball. */
export async function packCli(into: string): Promise<string> {
  const staging = await mkdtemp(join(tmpdir(), 'flightdeck-cli-'))
  try {
    await buildCli(staging)
    await writeFile(join(staging, 'package.json'), JSON.stringify(await manifest(), null, 2))
    await copyFile(join(cli, 'README.md'), join(staging, 'README.md'))
    await copyFile(join(root, 'LICENSE'), join(staging, 'LICENSE'))
    return await npmPack(staging, into)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

const tables = ['operations.json', 'project.schema.json']

/** Writes the program with all that it imports, and what it reads. */
export async function buildCli(into: string): Promise<void> {
  const bundle = await rolldown({
    input: { flightdeck: join(cli, 'src/flightdeck.ts'), main: join(cli, 'src/main.ts') },
    platform: 'node',
    resolve: { conditionNames: ['flightdeck-source', 'node', 'import', 'default'] },
  })
  try {
    await bundle.write({ dir: join(into, 'dist'), format: 'esm', minify: true })
  } finally {
    await bundle.close()
  }
  await chmod(join(into, 'dist/flightdeck.js'), 0o755)
  for (const name of tables) await copyFile(join(cli, name), join(into, name))
}

/** Without dependencies: they are in the bundle. */
async function manifest() {
  const { dependencies: _, ...others } = JSON.parse(
    await readFile(join(cli, 'package.json'), 'utf8'),
  )
  return {
    ...others,
    bin: { flightdeck: 'dist/flightdeck.js' },
    exports: { '.': './dist/main.js' },
    files: ['dist', ...tables],
  }
}

if (import.meta.main) console.log(await packCli(process.argv[2] ?? '.'))
