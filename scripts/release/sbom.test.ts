import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../run.ts'
import { writeBill } from './sbom.ts'

test('the bill of the service has all that it and the console bring, and no tools', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'flightdeck-bill-'))
  const file = await writeBill(directory, 'server')
  const bill = JSON.parse(await readFile(file, 'utf8'))
  const manifest = JSON.parse(await readFile(join(root, 'server/package.json'), 'utf8'))
  expect(basename(file)).toBe(`flightdeckhq-server-${manifest.version}.cdx.json`)
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { purl: `pkg:npm/%40flightdeckhq/server@${manifest.version}` } },
  })
  const refs = bill.components.map((each: { 'bom-ref': string }) => each['bom-ref'])
  const names = refs.map((ref: string) => ref.slice(0, ref.lastIndexOf('@')))
  const own = Object.keys(manifest.dependencies)
  expect(own.filter((name) => !names.includes(name))).toEqual([])
  // Brought by others: by pg, by the console.
  expect(names).toEqual(expect.arrayContaining(['pg-protocol', 'react', 'react-dom', 'scheduler']))
  for (const tool of ['vitest', 'vite', 'typescript', '@types/react', '@biomejs/biome'])
    expect(names).not.toContain(tool)
  await rm(directory, { recursive: true })
})
