import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proposed } from '../../../test/support/cases/change-sets.ts'
import { campaignAfter } from '../../../test/support/cases/writes.ts'
import {
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../test/support/world.ts'
import { chainHash } from '../../kernel/ledger.ts'
import { verifyExport } from '../audit-logs/verify-export.ts'

let world: World
let folder: string

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  folder = await mkdtemp(join(tmpdir(), 'flightdeck-test-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await world.close()
})

type Exported = { sequence: number; prev_hash: string; hash: string; action: string }

const linesOf = (text: string): string[] => text.trimEnd().split('\n')
const recordIn = (line: string): Exported & Record<string, unknown> => JSON.parse(line)

/** With records of other requests between the proposal and the application. */
async function appliedIn({ owner }: TestOrganization, id: string): Promise<string> {
  const { changeSet } = await proposed(owner, [
    { op: 'update', id, body: { daily_budget: 50 } },
    { op: 'action', id, action: 'launch' },
  ])
  await owner.patch('/organization', { name: 'Meanwhile' })
  expect((await owner.post(`/change_sets/${changeSet.id}/apply`)).statusCode).toBe(200)
  return changeSet.id
}

const exportOf = async ({ owner }: TestOrganization, id: string) =>
  (await owner.get(`/audit_logs/export?change_set_id=${id}`)).body

async function verified(lines: readonly string[], reading = {}) {
  const path = join(folder, 'export.ndjson')
  await writeFile(path, `${lines.join('\n')}\n`)
  return verifyExport(path, reading)
}

test('the records of a change set are exported as they were hashed, and no others', async () => {
  const organization = await world.organization()
  const id = await campaignAfter(organization, [])
  const changeSet = await appliedIn(organization, id)
  await appliedIn(organization, await campaignAfter(organization, [], { name: 'Another' }))
  const records = linesOf(await exportOf(organization, changeSet)).map(recordIn)
  expect(records.map(({ action }) => action)).toEqual([
    'change_set.created',
    'campaign.updated',
    'campaign.activated',
    'change_set.applied',
  ])
  for (const { prev_hash, hash, ...said } of records) {
    expect(said.change_set_id).toBe(changeSet)
    expect(chainHash(prev_hash, said)).toBe(hash)
  }
  const { data } = (await organization.owner.get(`/audit_logs?change_set_id=${changeSet}`)).json()
  expect(data).toEqual(records.toReversed())
  const stranger = await world.organization()
  expect(await exportOf(stranger, changeSet)).toBe('')
})

test('such an export verifies as a filtered one, and says what was altered in it', async () => {
  const organization = await world.organization()
  const id = await campaignAfter(organization, [])
  const lines = linesOf(await exportOf(organization, await appliedIn(organization, id)))
  const [created, updated, activated, applied] = lines.map(recordIn)
  const last = applied?.sequence
  expect(updated?.sequence).toBeGreaterThan((created?.sequence ?? 0) + 1)
  expect(await verified(lines)).toMatchObject({ valid: false })
  const isFiltered = true
  expect(await verified(lines, { isFiltered })).toMatchObject({
    valid: true,
    from_sequence: created?.sequence,
    to_sequence: last,
    head_hash: applied?.hash,
  })
  const altered = lines.map((line) => line.replace('"after":50', '"after":51'))
  expect(altered).not.toEqual(lines)
  const first_bad_sequence = updated?.sequence
  expect(await verified(altered, { isFiltered })).toMatchObject({
    valid: false,
    first_bad_sequence,
  })
  const swapped = [lines[0], lines[2], lines[1], lines[3]].map(String)
  expect(await verified(swapped, { isFiltered })).toMatchObject({ valid: false })
  const marks = new Map([[activated?.sequence ?? 0, 'f'.repeat(64)]])
  expect(await verified(lines, { isFiltered, marks })).toMatchObject({ valid: false })
  const beyond = new Map([[(last ?? 0) + 10, 'f'.repeat(64)]])
  expect(await verified(lines, { isFiltered, marks: beyond })).toMatchObject({ valid: true })
})
