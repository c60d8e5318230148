import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignAfter } from '../../../../test/support/cases/writes.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../../test/support/world.ts'

let world: World
let organization: TestOrganization
let id: string
beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  organization = await world.organization()
  id = await campaignAfter(organization)
})
afterAll(() => world.close())

const sending = (client: Client, csv: string) =>
  client.call({
    method: 'POST',
    url: '/change_sets/from_csv',
    headers: { 'content-type': 'text/csv' },
    payload: csv,
  })

/** The only fault of a file. */
async function faultOf(csv: string): Promise<object> {
  const { errors } = (await sending(organization.owner, csv)).json()
  expect(errors).toHaveLength(1)
  return errors[0]
}

const MiB = 1024 * 1024
const names = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`).join(',')
const tooMany = { code: 'too_many_items', limit: 200 }
const tooLong = { code: 'too_long', limit: 65_536 }

describe('a file beyond its bounds is refused by its first excess', () => {
  test.each([
    ['many names', `${names(300_000)}\na`],
    ['commas in the header', `${','.repeat(6 * MiB)}\na`],
    ['one name too many', `${names(201)}\na`],
  ])('in the header: %s', async (_, csv) => {
    expect(await faultOf(csv)).toMatchObject({ pointer: '/columns', ...tooMany })
  })

  test('too many cells in a row are refused', async () => {
    const csv = `id,name\n${id},Fine\n${','.repeat(200)}\n`
    expect(await faultOf(csv)).toMatchObject({ pointer: '/rows/1', ...tooMany })
    expect(await faultOf(`id\n${','.repeat(6 * MiB)}`)).toMatchObject({ pointer: '/rows/0' })
  })

  test.each([
    ['plain', 'n'.repeat(65_537)],
    ['of several bytes each', 'é'.repeat(32_769)],
    ['quoted', `"${'n'.repeat(65_537)}"`],
    ['of doubled quotes', `"${'""'.repeat(65_537)}"`],
    ['never closed', `"${'n'.repeat(MiB)}`],
    ['of quotes alone', '"'.repeat(6 * MiB)],
  ])('too long a text in a cell is refused: %s', async (_, cell) => {
    const fault = await faultOf(`id,notes\n${id},${cell}\n`)
    expect(fault).toMatchObject({ pointer: '/rows/0/notes', ...tooLong })
  })

  test('too long a list in a cell is refused', async () => {
    const labels = JSON.stringify(Array.from({ length: 201 }, (_, at) => `l${at}`))
    const csv = `id,labels\n${id},"${labels.replaceAll('"', '""')}"\n`
    expect(await faultOf(csv)).toMatchObject({ pointer: '/rows/0/labels', ...tooMany })
  })

  test('too deep a value in a cell is refused', async () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    const fault = await faultOf(`id,labels\n${id},"${deep}"\n`)
    expect(fault).toMatchObject({ pointer: '/rows/0/labels', code: 'invalid_format' })
  })
})

test('at its bounds it is read', async () => {
  const header = ['id', 'notes', ...Array.from({ length: 198 }, () => 'version')].join(',')
  const filled = `${header}\n${id},${'n'.repeat(2_000)}${','.repeat(198)}\n`
  expect((await sending(organization.owner, filled)).json().summary).toMatchObject({ update: 1 })
  const long = `id,notes\n${id},"${'""'.repeat(32_768)}"\n`
  // Read, tried, and refused by what notes may hold.
  expect((await sending(organization.owner, long)).json().summary).toMatchObject({ failed: 1 })
})

test('empty lines are nothing, however many', async () => {
  const csv = `id,notes${'\r\n'.repeat(MiB)}${id},Here${'\n'.repeat(MiB)}`
  expect((await sending(organization.owner, csv)).json().summary).toMatchObject({ update: 1 })
})

test('of many unknown columns fifty are named', async () => {
  const { errors } = (await sending(organization.owner, `${names(200)}\na`)).json()
  expect(errors).toHaveLength(50)
  expect(errors[49]).toMatchObject({ pointer: '/columns/c49', code: 'unknown_field' })
})
