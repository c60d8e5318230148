/** `node scripts/release/pack-server.ts [directory]`: packs the service as npm would publish it. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { revisionFile } from '../../server/src/revision.ts'
import { root } from '../run.ts'
import { npmPack, succeed } from './npm-pack.ts'
import { buildCli } from './pack-cli.ts'
import { packSdk } from './pack-sdk.ts'

/** Answers the path of the tarball. */
export async function packServer(into: string): Promise<string> {
  const staging = await mkdtemp(join(tmpdir(), 'flightdeck-server-'))
  try {
    const server = join(root, 'server')
    const { files } = JSON.parse(await readFile(join(server, 'package.json'), 'utf8'))
    const folders = files.filter(
      (each: string) => !each.startsWith('!') && !['console', 'sdk', 'cli', 'docs'].includes(each),
    )
    for (const each of ['package.json', 'README.md', ...folders])
      await cp(join(server, each), join(staging, each), { recursive: true })
    await cp(join(root, 'docs/guides'), join(staging, 'docs/guides'), { recursive: true })
    // Builds the console from the sources that are packed, not whatever was built last.
    await succeed(process.execPath, ['scripts/build-console.ts', '--out', join(staging, 'console')])
    const revision = await succeed('git', ['rev-parse', 'HEAD']).catch(() => null)
    await writeFile(join(staging, 'src', revisionFile), JSON.stringify({ revision }))
    await packSdk(join(staging, 'sdk'))
    await buildCli(join(staging, 'cli'))
    // npm takes the license from the package's own directory only.
    await cp(join(root, 'LICENSE'), join(staging, 'LICENSE'))
    return await npmPack(staging, into)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

if (import.meta.main) console.log(await packServer(process.argv[2] ?? '.'))
