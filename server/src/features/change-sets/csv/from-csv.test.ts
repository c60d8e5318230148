import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everythingOf } from '../../../../test/support/cases/bulk.ts'
import { operationsOf } from '../../../../test/support/cases/change-sets.ts'
import {
  campaignAfter,
  campaignBody,
  made,
  profileOf,
} from '../../../../test/support/cases/writes.ts'
import {
  type Client,
  faultsOf,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../../test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ env: unlimited })
})
afterAll(() => world.close())

const sending = (client: Client, csv: string, query = 'title=Budgets', type = 'text/csv') =>
  client.call({
    method: 'POST',
    url: `/change_sets/from_csv?${query}`,
    headers: { 'content-type': type },
    payload: csv,
  })

async function exported({ owner }: TestOrganization): Promise<string> {
  return (await owner.get('/campaigns/export?format=csv')).body
}

describe('a spreadsheet', () => {
  test('that was exported and sent back changes nothing', async () => {
    const organization = await world.organization()
    const { owner } = organization
    await campaignAfter(organization, ['launch'], {
      notes: '=1+1',
      labels: ['a, "b"'],
      metadata: { k: 'v' },
      schedule: [{ day: 'mon', start: '09:00', end: '17:00' }],
    })
    // Nothing keeps it from delivering: the export says `[]`.
    await campaignAfter(organization, ['launch'])
    await campaignAfter(organization, [], { name: '"Quoted"; and more', lifetime_budget: 900 })
    const reply = await sending(owner, await exported(organization))
    expect([reply.statusCode, reply.body]).toEqual([201, reply.body])
    expect(reply.json()).toMatchObject({
      title: 'Budgets',
      summary: { unchanged: 3, update: 0, failed: 0 },
    })
  })

  test('changes what its cells say, clears, and creates', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const profile = await profileOf(organization)
    const body = { ...campaignBody(profile), notes: 'Old', labels: ['x'], external_id: 'crm-1' }
    const id = await made(owner, '/campaigns', body)
    const csv = [
      'id,external_id,name,objective,profile_id,daily_budget,labels,notes',
      `${id},,,,,50,[],`,
      ',crm-1,Renamed,,,,,[]',
      `,crm-2,New,sales,${profile},20,"[""a"",""b""]",'=text`,
      '',
    ].join('\r\n')
    const reply = await sending(owner, csv, 'title=Budgets&mode=partial&source=console')
    expect(reply.json()).toMatchObject({
      mode: 'partial',
      source: { kind: 'console' },
      summary: { update: 2, create: 1 },
    })
    const operations = await operationsOf(owner, reply.json().id)
    expect(operations[0]?.changes).toEqual([
      { field: 'daily_budget', before: 33.51, after: 50 },
      { field: 'daily_budget_minor', before: 3351, after: 5000 },
      { field: 'labels', before: ['x'], after: [] },
    ])
    await owner.post(`/change_sets/${reply.json().id}/apply`)
    const { data } = (await owner.get('/campaigns?external_id=crm-1,crm-2')).json()
    expect(data).toMatchObject([
      { name: 'New', daily_budget: 20, labels: ['a', 'b'], notes: '=text' },
      { name: 'Renamed', daily_budget: 50, labels: [], notes: null },
    ])
  })

  test('with semicolons and a byte order mark is read, too', async () => {
    const organization = await world.organization()
    const id = await campaignAfter(organization)
    const csv = `\ufeffid;version;notes\n${id};1;"a\nb"\n`
    const reply = await sending(organization.owner, csv)
    expect(reply.json().summary).toMatchObject({ update: 1 })
  })

  test('is refused with every fault by row and column, and nothing is stored', async () => {
    const organization = await world.organization()
    const id = await campaignAfter(organization)
    const before = await everythingOf(world, organization)
    const csv = [
      'id,version,labels,naem,metadata',
      `${id},x,[a,,`,
      `${id},1,[],Y,{,more`,
      '""text after an empty cell',
      `${id},1,"[]`,
    ].join('\n')
    const reply = await sending(organization.owner, csv)
    expect(reply.statusCode).toBe(422)
    expect(faultsOf(reply)).toEqual([
      '/columns/naem unknown_field',
      '/rows/0/version invalid_type',
      '/rows/0/labels invalid_format',
      '/rows/1 too_many_items',
      '/rows/1/metadata invalid_format',
      '/rows/2 invalid_format',
      '/rows/3 invalid_format',
    ])
    expect(await everythingOf(world, organization)).toEqual(before)
  })

  test('is refused where a field is filled twice, or an amount or a time cannot be read', async () => {
    const organization = await world.organization()
    const id = await campaignAfter(organization)
    const csv = [
      'id,daily_budget,lifetime_budget,end_at,daily_budget',
      `${id},abc,"1,500",soon,7`,
      `${id},1e3,12.50,2027-02-30T00:00:00Z,7`,
    ].join('\n')
    const reply = await sending(organization.owner, csv)
    expect(faultsOf(reply)).toEqual([
      '/rows/0/daily_budget invalid_format',
      '/rows/0/lifetime_budget invalid_format',
      '/rows/0/end_at invalid_format',
      '/rows/0/daily_budget duplicate_item',
      '/rows/1/daily_budget invalid_format',
      '/rows/1/end_at invalid_format',
      '/rows/1/daily_budget duplicate_item',
    ])
  })

  test('stores rows that are read and would fail', async () => {
    const organization = await world.organization()
    const id = await campaignAfter(organization)
    const csv = `id,version,daily_budget,status\n${id},7,50,\n${id},,-5,\n${id},,,active\n,,5,\n`
    const reply = await sending(organization.owner, csv)
    expect(reply.json()).toMatchObject({ applicable: false, summary: { failed: 4 } })
    const operations = await operationsOf(organization.owner, reply.json().id)
    expect(operations.map(({ problem }) => problem?.code)).toEqual([
      'version_mismatch',
      ...Array(3).fill('validation_failed'),
    ])
  })

  test('is bounded', async () => {
    const { owner } = await world.organization()
    const rows = (count: number) => `id\n${'cmp_x\n'.repeat(count)}`
    expect(faultsOf(await sending(owner, rows(1001)))).toEqual(['/rows too_many_items'])
    expect(faultsOf(await sending(owner, 'id\n'))).toEqual(['/rows too_short'])
    expect((await sending(owner, rows(1000))).statusCode).toBe(201)
    expect((await sending(owner, rows(1), 'title=%20')).json().code).toBe('invalid_parameter')
    expect((await sending(owner, rows(1), 'title=X', 'application/json')).statusCode).toBe(415)
    const large = await sending(owner, 'x'.repeat(8 * 1024 * 1024 + 1))
    expect(large.statusCode).toBe(413)
  })
})
