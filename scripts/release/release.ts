/**
 * `node scripts/release/release.ts [--dry-run] [directory]`: makes a release of the tagged commit in a new
 * directory (default: dist), or, with --dry-run, tries it on any commit. It publishes nothing.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../run.ts'
import { succeed } from './npm-pack.ts'
import { packCli } from './pack-cli.ts'
import { packConnect } from './pack-connect.ts'
import { packSdk } from './pack-sdk.ts'
import { packServer } from './pack-server.ts'
import { notesOf, releaseFaults } from './release-checks.ts'
import { writeBill } from './sbom.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false } },
})
const out = resolve(positionals[0] ?? 'dist')

const read = (file: string) => readFile(join(root, file), 'utf8')
const changelog = await read('CHANGELOG.md')
const workspaces = ['server', 'sdk', 'console', 'connectors/kit', 'cli']
const versions = await versionsIn([
  'package.json',
  ...workspaces.map((each) => `${each}/package.json`),
])
const tag = values['dry-run'] ? null : await tagOfCleanCommit()
const today = new Date().toISOString().slice(0, 10)
const faults = releaseFaults({ versions, changelog, tag, today })
for (const fault of faults) console.error(`release: ${fault}`)
if (faults.length > 0) process.exit(1)
await makeRelease(String(versions['package.json']))

async function versionsIn(files: readonly string[]): Promise<Record<string, string>> {
  const all = files.map(async (file) => [file, JSON.parse(await read(file)).version])
  const lock = JSON.parse(await read('package-lock.json'))
  const locked = ['', ...workspaces].map((path) => [
    `package-lock.json ${path}`.trim(),
    lock.packages[path].version,
  ])
  return Object.fromEntries([...(await Promise.all(all)), ...locked])
}

async function tagOfCleanCommit(): Promise<string> {
  const changed = await succeed('git', ['status', '--porcelain'])
  if (changed !== '') throw new Error(`the work tree has changes:\n${changed}`)
  return (await succeed('git', ['tag', '--points-at', 'HEAD', 'v*'])).split('\n', 1)[0] ?? ''
}

async function makeRelease(version: string): Promise<void> {
  await mkdir(out, { recursive: false })
  const tarballs = []
  for (const pack of [packServer, packSdk, packCli, packConnect]) tarballs.push(await pack(out))
  const bills = []
  for (const folder of ['server', 'sdk', 'connectors/kit']) bills.push(await writeBill(out, folder))
  const sums = [...tarballs, ...bills].map(
    async (file) => `${await sha256Of(file)}  ${basename(file)}`,
  )
  await writeFile(join(out, 'SHA256SUMS'), `${(await Promise.all(sums)).join('\n')}\n`)
  await writeFile(join(out, 'notes.md'), `${notesOf(changelog)}\n`)
  await writeFile(join(out, 'build-image.sh'), await imageScript(version), { mode: 0o755 })
  console.log(`release: ${version} is in ${out}`)
}

async function sha256Of(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
}

/** Builds the image of this commit, labelled as the OCI says. */
async function imageScript(version: string): Promise<string> {
  const [revision = '', created = ''] = (
    await succeed('git', ['log', '-1', '--format=%H %cI'])
  ).split(' ')
  const labels = {
    title: 'Flightdeck',
    description: 'Self-hosted HTTP service for advertising campaigns',
    licenses: 'Apache-2.0',
    version,
    revision,
    created,
  }
  const options = Object.entries(labels).map(
    ([name, value]) => `  --label 'org.opencontainers.image.${name}=${value}' \\\n`,
  )
  const build = `docker build -f deploy/Dockerfile --build-arg REVISION=${revision}`
  return `#!/bin/sh\nset -eu\n${build} -t flightdeck:${version} \\\n${options.join('')}  .\n`
}
