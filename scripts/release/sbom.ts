import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../run.ts'
import { succeed } from './npm-pack.ts'

type Component = { 'bom-ref': string }
type Dependency = { ref: string; dependsOn: string[] }
type Bill = { metadata: { component: object }; components: Component[]; dependencies: Dependency[] }

/** Tools that build the console, and are not in it. */
const tool = /^(?:@types\/|@vitejs\/|vite$)/

/** Folders of the workspaces that a package contains. */
const contents: Readonly<Record<string, readonly string[]>> = {
  sdk: ['sdk'],
  'connectors/kit': ['connectors/kit', 'sdk'],
  server: ['server', 'console'],
}

/** Writes what the package of the client or the service brings with it, as CycloneDX. */
export async function writeBill(into: string, folder: string): Promise<string> {
  const folders = contents[folder] ?? []
  const { name, version } = await manifestOf(folder)
  const bill = await billOf(folders)
  const inside = reachable(bill, (await Promise.all(folders.map(refsFrom(bill)))).flat())
  bill.components = bill.components.filter((each) => inside.has(each['bom-ref']))
  bill.dependencies = bill.dependencies.filter(({ ref }) => inside.has(ref))
  // npm names the directory of the workspace.
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  Object.assign(bill.metadata.component, { name, version, purl })
  const file = join(into, `${name.replace('@', '').replace('/', '-')}-${version}.cdx.json`)
  await writeFile(file, `${JSON.stringify(bill, null, 2)}\n`)
  return file
}

const nameOf = (ref: string) => ref.slice(0, ref.lastIndexOf('@'))

const manifestOf = async (folder: string) =>
  JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))

/** With packages for development: npm leaves out what is for production too. */
async function billOf(folders: readonly string[]): Promise<Bill> {
  const workspaces = folders.flatMap((each) => ['--workspace', each])
  const written = await succeed('npm', ['sbom', '--sbom-format', 'cyclonedx', ...workspaces])
  return JSON.parse(written.slice(written.indexOf('{'), written.lastIndexOf('}') + 1))
}

/** The packages that a workspace brings itself: of the console, what is built into it. */
const refsFrom =
  ({ dependencies }: Bill) =>
  async (folder: string): Promise<string[]> => {
    const manifest = await manifestOf(folder)
    const built = Object.keys(manifest.devDependencies ?? {}).filter((each) => !tool.test(each))
    const own = { ...manifest.dependencies, ...manifest.optionalDependencies }
    const names = folder === 'console' ? built : Object.keys(own)
    const ref = `${manifest.name}@${manifest.version}`
    const all = dependencies.find((each) => each.ref === ref)?.dependsOn ?? []
    return [ref, ...all.filter((each) => names.includes(nameOf(each)))]
  }

/** Everything that the packages need; of workspaces, only their own dependencies. */
function reachable({ dependencies }: Bill, refs: readonly string[]): Set<string> {
  const dependsOn = new Map(dependencies.map((each) => [each.ref, each.dependsOn]))
  const found = new Set<string>()
  const add = (ref: string) => {
    if (found.has(ref) || tool.test(nameOf(ref))) return
    found.add(ref)
    if (!ref.startsWith('@flightdeckhq/')) dependsOn.get(ref)?.forEach(add)
  }
  refs.forEach(add)
  return found
}
