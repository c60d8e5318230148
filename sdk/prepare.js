/**
 * Builds dist/ of src/: npm runs it for whoever installs this directory. Without the compiler (`npm ci`
 * in the repository has it) the types are only taken out, and there are no declarations.
 */
import { spawnSync } from 'node:child_process'
import { cp, glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const source = join(here, 'src')
const scratch = join(here, `dist.${process.pid}`)

function compilerPath() {
  try {
    return createRequire(import.meta.url).resolve('typescript/bin/tsc')
  } catch {
    return null
  }
}

async function compile(compiler) {
  const args = [compiler, '-p', join(here, 'tsconfig.build.json'), '--outDir', scratch]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error('The SDK does not compile')
  // As generated: the compiler would indent it by four.
  await cp(join(source, 'openapi.ts'), join(scratch, 'openapi.d.ts'))
}

async function strip() {
  for await (const path of glob('**/*.ts', { cwd: source })) {
    const code = stripTypeScriptTypes(await readFile(join(source, path), 'utf8'))
    const target = join(scratch, path.replace(/\.ts$/, '.js'))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, code.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
  }
  console.warn('The SDK is built without types: run npm ci in its repository for them.')
}

const hasSource = await readFile(join(source, 'client.ts')).catch(() => null)
if (hasSource) {
  const compiler = compilerPath()
  await (compiler ? compile(compiler) : strip())
  // Whole at once: a program may be reading it.
  await rm(join(here, 'dist'), { recursive: true, force: true })
  await rename(scratch, join(here, 'dist'))
}
