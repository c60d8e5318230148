import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyRowByIndex } from '../../../../test/support/by-index.ts'
import { made } from '../../../../test/support/cases/writes.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import { type TestOrganization, unlimited } from '../../../../test/support/world.ts'
import { keepAuditedNames } from './due.ts'

let world: OwnWorld
let organization: TestOrganization
let template: string

beforeAll(async () => {
  world = await openOwnWorld({
    env: unlimited,
    alter: (services) => ({
      ...services,
      limits: { ...services.limits, largeLists: everyRowByIndex },
    }),
  })
  organization = await world.organization()
  const { owner } = organization
  template = await made(owner, '/templates', { name: 'Ölwechsel 500' })
  await made(owner, '/templates', { name: 'Inspection' })
  await made(owner, '/profiles', { name: 'Garage', platform: 'meta' })
})
afterAll(() => world.close())

const keep = () => keepAuditedNames(world.services, AbortSignal.timeout(10_000))

const found = async (q: string): Promise<string[]> => {
  const reply = await organization.owner.get(`/audit_logs?q=${encodeURIComponent(q)}`)
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
  return reply.json().data.map(({ resource }: { resource: { name: string } }) => resource.name)
}

const searches: [string, string[]][] = [
  ['olwechsel', ['Ölwechsel 500']],
  ['500 wech', ['Ölwechsel 500']],
  ['SPECT', ['Inspection']],
  ['gara', ['Garage']],
  ['0', ['Ölwechsel 500']],
  ['inspection garage', []],
  ['zqxv', []],
]

test('records are found by names, with an index and without', async () => {
  for (const [q, expected] of searches) expect([q, await found(q)]).toEqual([q, expected])
  await world.database.query('insert into audited_name_states values ($1, 0)', [organization.id])
  for (const [q, expected] of searches) expect([q, await found(q)]).toEqual([q, expected])
  await keep()
  for (const [q, expected] of searches) expect([q, await found(q)]).toEqual([q, expected])
})

test('a record is found at once, and by the name of its time', async () => {
  await organization.owner.patch(`/templates/${template}`, { name: 'Tire change' })
  for (const isKept of [false, true]) {
    expect([isKept, await found('tire')]).toEqual([isKept, ['Tire change']])
    expect([isKept, await found('olwechsel')]).toEqual([isKept, ['Ölwechsel 500']])
    await keep()
  }
})

test('the index is what finds', async () => {
  expect(await found('inspection')).toEqual(['Inspection'])
  await world.database.query('delete from audited_names where organization_id = $1', [
    organization.id,
  ])
  expect(await found('inspection')).toEqual([])
})
