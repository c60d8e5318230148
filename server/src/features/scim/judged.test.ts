import { randomUUID } from 'node:crypto'
import SCIMMY from 'scimmy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Directory, directoryOf } from '../../../test/support/clients/directory.ts'
import { openWorld, type World } from '../../../test/support/world.ts'

/** Judged by an implementation of SCIM that is not ours: what it reads, it must read without loss. */

let world: World
let directory: Directory

beforeAll(async () => {
  world = await openWorld()
  const { owner } = await world.organization()
  directory = await directoryOf(world, owner)
})
afterAll(() => world.close())

const { User, Group } = SCIMMY.Schemas
const { ErrorResponse, ListResponse, PatchOp } = SCIMMY.Messages
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
const newAddress = () => `mary-${randomUUID()}@example.com`

const madeUser = async (more: object = {}) =>
  (await directory.post('/Users', { userName: newAddress(), ...more })).json()

test('users, groups, lists and errors are what another implementation takes', async () => {
  const user = await madeUser({
    externalId: 'E-1',
    name: { givenName: 'Mary', familyName: 'Lee' },
  })
  const members = [{ value: user.id }]
  const group = (await directory.post('/Groups', { displayName: 'Buyers', members })).json()
  const withGroup = (await directory.get(`/Users/${user.id}`)).json()
  expect(withGroup.groups).toHaveLength(1)
  expect(plain(new User(withGroup, 'out'))).toEqual(withGroup)
  expect(plain(new Group(group, 'out'))).toEqual(group)
  const list = (await directory.get('/Users?count=2')).json()
  expect(plain(new ListResponse(list))).toEqual(list)
  const { userName } = user
  for (const refused of [
    await directory.post('/Users', { userName }),
    await directory.get('/Users?filter=x'),
    await directory.patch(`/Users/${user.id}`, { op: 'remove' }),
    await directory.get('/Users/usr_x'),
  ]) {
    const { detail } = refused.json()
    // It throws what it has read, or what is wrong with it.
    const read = () => new ErrorResponse(refused.json())
    expect(read).toThrow(detail)
  }
})

type Described = {
  name: string
  type: string
  multiValued: boolean
  subAttributes?: Described[]
}

/** Each attribute that is ours, of those of the standard. */
function expectAmong(ours: readonly Described[], standard: readonly Described[]): void {
  for (const { name, type, multiValued, subAttributes } of ours) {
    const found = standard.find((each) => each.name === name)
    expect(found).toMatchObject({ name, type, multiValued })
    expectAmong(subAttributes ?? [], found?.subAttributes ?? [])
  }
}

test('the schemas are parts of those of the standard, and what may be done is said', async () => {
  const { Resources } = (await directory.get('/Schemas')).json()
  expect(Resources.map(({ id }: { id: string }) => id)).toEqual([
    User.definition.id,
    Group.definition.id,
  ])
  expectAmong(Resources[0].attributes, plain(User.definition.describe()).attributes)
  expectAmong(Resources[1].attributes, plain(Group.definition.describe()).attributes)
  for (const { meta } of [
    ...Resources,
    ...(await directory.get('/ResourceTypes')).json().Resources,
  ]) {
    const { pathname } = new URL(meta.location)
    expect((await directory.get(pathname)).statusCode).toBe(200)
  }
  const { patch, bulk, sort, etag, filter } = (await directory.get('/ServiceProviderConfig')).json()
  expect([patch.supported, filter.supported]).toEqual([true, true])
  expect([bulk.supported, sort.supported, etag.supported]).toEqual([false, false, false])
  expect((await directory.get('/Schemas/urn:x')).statusCode).toBe(404)
})

test('patches come to what another implementation makes of them', async () => {
  const user = await madeUser({
    displayName: 'Mary',
    name: { givenName: 'Mary' },
    externalId: 'E-2',
  })
  const renamed = newAddress()
  const patches = [
    [{ op: 'Replace', path: 'name.givenName', value: 'Marie' }],
    [{ op: 'add', path: 'name.familyName', value: 'Lee' }],
    [{ op: 'replace', path: 'name', value: { givenName: 'M.', familyName: 'Park' } }],
    [{ op: 'replace', value: { active: false, userName: renamed } }],
    [{ op: 'Replace', path: 'active', value: true }],
    [{ op: 'remove', path: 'externalId' }],
    [{ op: 'add', value: { externalId: 'E-3' } }],
    [
      { op: 'remove', path: 'name.familyName' },
      { op: 'replace', path: 'displayName', value: 'E-4' },
    ],
  ]
  for (const operations of patches) {
    const before = (await directory.get(`/Users/${user.id}`)).json()
    const theirs = await new PatchOp({
      schemas: [PatchOp.id],
      Operations: plain(operations),
    }).apply(new User(before, 'out'))
    const ours = (await directory.patch(`/Users/${user.id}`, ...operations)).json()
    const compared = ({
      active,
      externalId,
      userName,
      displayName,
      name,
    }: Record<string, unknown>) => {
      const { givenName, familyName } = plain(name ?? {})
      return { active, externalId, userName, displayName, givenName, familyName }
    }
    expect([operations, compared(ours)]).toEqual([operations, compared(plain(theirs))])
  }
})
