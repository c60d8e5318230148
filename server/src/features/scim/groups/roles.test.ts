import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { domainOfTest, ssoBody } from '../../../../test/support/cases/people/sso-cases.ts'
import { directoryOf } from '../../../../test/support/clients/directory.ts'
import { openWorld, unlimited, type World } from '../../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
})
afterAll(() => world.close())

const roleMap = { Leads: 'admin', Buyers: 'editor', 'object-7': 'auditor' }

async function company(more: object = {}) {
  const organization = await world.organization()
  const { owner } = organization
  const settings = { ...ssoBody(domainOfTest(organization)), role_map: roleMap, ...more }
  expect((await owner.put('/organization/sso', settings)).statusCode).toBe(201)
  const directory = await directoryOf(world, owner)
  const person = async () => {
    const userName = `ada-${randomUUID()}@example.com`
    return String((await directory.post('/Users', { userName })).json().id)
  }
  const group = async (displayName: string, ...ids: string[]) => {
    const members = ids.map((value) => ({ value }))
    return String((await directory.post('/Groups', { displayName, members })).json().id)
  }
  const roleOf = async (id: string) => (await owner.get(`/members/${id}`)).json().role
  const move = (id: string, op: string, value: string) =>
    directory.patch(`/Groups/${id}`, { op, path: 'members', value: [{ value }] })
  return { ...organization, directory, person, group, roleOf, move }
}

test('a member has the highest role of the groups, and the default of none', async () => {
  const { owner, person, group, roleOf, move, directory } = await company()
  const id = await person()
  expect(await roleOf(id)).toBe('viewer')
  const buyers = await group('Buyers', id)
  expect(await roleOf(id)).toBe('editor')
  const leads = await group('Leads')
  await move(leads, 'Add', id)
  expect(await roleOf(id)).toBe('admin')
  await group('Guests', id)
  expect(await roleOf(id)).toBe('admin')
  await move(leads, 'Remove', id)
  expect(await roleOf(id)).toBe('editor')
  await directory.delete(`/Groups/${buyers}`)
  expect(await roleOf(id)).toBe('viewer')
  const { data } = (await owner.get(`/events?type=member.updated&sort=sequence`)).json()
  expect(
    data.map((event: { data: { object: { role: string } } }) => event.data.object.role),
  ).toEqual(['editor', 'admin', 'editor', 'viewer'])
  expect((await owner.get('/audit_logs/verify')).json().valid).toBe(true)
})

test('a group that is renamed, or has a mapped externalId, gives its role', async () => {
  const { directory, person, group, roleOf } = await company()
  const id = await person()
  const guests = await group('Guests', id)
  const rename = (value: string) =>
    directory.patch(`/Groups/${guests}`, { op: 'Replace', path: 'displayName', value })
  await rename('Buyers')
  expect(await roleOf(id)).toBe('editor')
  await rename('Guests')
  expect(await roleOf(id)).toBe('viewer')
  await directory.patch(`/Groups/${guests}`, { op: 'Add', path: 'externalId', value: 'object-7' })
  expect(await roleOf(id)).toBe('auditor')
})

test('a member with a scope keeps it, and is made no admin', async () => {
  const { owner, person, group, roleOf, move } = await company()
  const id = await person()
  const { id: client } = (await owner.post('/clients', { name: 'Acme' })).json()
  const scope = { client_ids: [client] }
  await owner.patch(`/members/${id}`, { scope })
  const leads = await group('Leads', id)
  expect((await owner.get(`/members/${id}`)).json()).toMatchObject({ role: 'viewer', scope })
  await group('Buyers', id)
  await move(leads, 'Remove', id)
  expect((await owner.get(`/members/${id}`)).json()).toMatchObject({ role: 'editor', scope })
  await owner.patch(`/members/${id}`, { scope: null })
  await move(leads, 'Add', id)
  expect(await roleOf(id)).toBe('admin')
})

test('a role set by hand holds until the groups of that person change', async () => {
  const { owner, directory, person, group, roleOf, move } = await company()
  const [one, two] = [await person(), await person()]
  const buyers = await group('Buyers', one)
  await owner.patch(`/members/${one}`, { role: 'auditor' })
  await move(buyers, 'Add', two)
  await directory.patch(`/Users/${one}`, { op: 'Replace', path: 'displayName', value: 'One' })
  expect([await roleOf(one), await roleOf(two)]).toEqual(['auditor', 'editor'])
  await group('Guests', one)
  expect(await roleOf(one)).toBe('editor')
})

test('no group gives or takes the role of an owner', async () => {
  const { owner, person, group, roleOf, move, directory } = await company()
  const leads = await group('Leads', owner.userId)
  expect(await roleOf(owner.userId)).toBe('owner')
  await move(leads, 'Remove', owner.userId)
  await directory.delete(`/Groups/${leads}`)
  expect(await roleOf(owner.userId)).toBe('owner')
  const refused = await owner.patch('/organization/sso', { role_map: { Owners: 'owner' } })
  expect(refused.statusCode).not.toBe(200)
  const id = await person()
  await group('Owners', id)
  expect(await roleOf(id)).toBe('viewer')
})

test('with a role_claim, and without single sign-on, groups give no role', async () => {
  const claimed = await company({ role_claim: 'groups', default_role: 'auditor' })
  const id = await claimed.person()
  expect(await claimed.roleOf(id)).toBe('auditor')
  await claimed.group('Leads', id)
  expect(await claimed.roleOf(id)).toBe('auditor')
  const without = await company()
  await without.owner.delete('/organization/sso')
  const other = await without.person()
  await without.group('Leads', other)
  expect(await without.roleOf(other)).toBe('viewer')
})
