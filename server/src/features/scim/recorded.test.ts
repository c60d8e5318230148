import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Directory, directoryOf } from '../../../test/support/clients/directory.ts'
import { openWorld, type World } from '../../../test/support/world.ts'

/**
 * Requests in the form that two directories document, with people of our own. Entra: "Develop and plan
 * provisioning for a SCIM endpoint in Microsoft Entra ID", learn.microsoft.com/entra/identity/
 * app-provisioning/use-scim-to-provision-users-and-groups, and its page of known issues
 * (application-provisioning-config-problem-scim-compatibility). Okta: "Okta and SCIM Version 2.0",
 * developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20.
 */

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function company() {
  const organization = await world.organization()
  return { ...organization, directory: await directoryOf(world, organization.owner) }
}

const core = 'urn:ietf:params:scim:schemas:core:2.0:User'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const newAddress = () => `mary-${randomUUID()}@example.com`

const madeByEntra = (userName: string) => ({
  schemas: [core, enterprise],
  externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
  userName,
  active: true,
  emails: [{ primary: true, type: 'work', value: `other-${userName}` }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Mary Lee', familyName: 'Lee', givenName: 'Mary' },
  roles: [],
  [enterprise]: { department: 'Media', manager: { value: '26118915' } },
})

/** Users that Entra has found or made. */
async function madeUsers(directory: Directory, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    ids.push((await directory.post('/Users', { userName: newAddress() })).json().id)
  }
  return ids
}

test('Entra looks for a person, makes, changes and disables it', async () => {
  const { owner, directory } = await company()
  const userName = newAddress()
  const search = `/Users?filter=userName+eq+%22${encodeURIComponent(userName)}%22`
  expect((await directory.get(search)).json()).toMatchObject({ totalResults: 0, Resources: [] })
  const made = await directory.post('/Users', madeByEntra(userName))
  expect(made.statusCode).toBe(201)
  const { id } = made.json()
  expect((await directory.get(search)).json().Resources).toMatchObject([{ id, active: true }])
  const changed = await directory.patch(
    `/Users/${id}`,
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@example.com' },
    { op: 'Replace', path: 'name.familyName', value: 'Lee-Park' },
    { op: 'Add', path: `${enterprise}:department`, value: 'Sales' },
    { op: 'Add', path: `${enterprise}:manager`, value: [{ $ref: 'http://x/', value: '261189' }] },
    { op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 425 555 0100' },
    { op: 'Replace', path: 'addresses[type eq "work"].region', value: 'WA' },
  )
  expect(changed.json()).toMatchObject({ displayName: 'Mary Lee-Park', userName })
  const dotted = await directory.patch(`/Users/${id}`, {
    op: 'replace',
    value: {
      displayName: 'Mary P.',
      'name.givenName': 'Marie',
      'emails[type eq "work"].value': 'x@example.com',
      [`${enterprise}:employeeNumber`]: '701984',
      active: 'True',
    },
  })
  expect(dotted.json()).toMatchObject({ displayName: 'Mary P.', name: { givenName: 'Marie' } })
  const off = await directory.patch(`/Users/${id}`, {
    op: 'Replace',
    path: 'active',
    value: 'False',
  })
  expect(off.json().active).toBe(false)
  expect((await directory.get(search)).json().Resources).toMatchObject([{ id, active: false }])
  expect((await owner.get(`/members/${id}`)).json()).toMatchObject({ disabled: true })
  const renamed = newAddress()
  const moved = await directory.patch(`/Users/${id}`, {
    op: 'Replace',
    path: 'userName',
    value: renamed,
  })
  expect(moved.json().userName).toBe(renamed)
  expect((await directory.delete(`/Users/${id}`)).statusCode).toBe(204)
})

test('Entra makes a group, fills it, takes people out and deletes it', async () => {
  const { directory } = await company()
  const [one, two, three] = await madeUsers(directory, 3)
  const made = await directory.post('/Groups', {
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:Group',
      'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
    ],
    externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
    displayName: 'Media buyers',
    meta: { resourceType: 'Group' },
  })
  expect(made.statusCode).toBe(201)
  const path = `/Groups/${made.json().id}`
  const search = `/Groups?excludedAttributes=members&filter=displayName+eq+%22media+buyers%22`
  const [found] = (await directory.get(search)).json().Resources
  expect(found).toMatchObject({ id: made.json().id, displayName: 'Media buyers' })
  expect(found).not.toHaveProperty('members')
  const add = (value: unknown) => ({ op: 'Add', path: 'members', value: [{ $ref: null, value }] })
  const added = await directory.patch(path, add(one), add(two), add(three))
  expect(added.statusCode).toBe(204)
  const members = async () =>
    (await directory.get(path)).json().members.map(({ value }: { value: string }) => value)
  expect(await members()).toEqual([one, two, three].toSorted())
  await directory.patch(path, {
    op: 'Remove',
    path: 'members',
    value: [{ $ref: null, value: one }],
  })
  expect(await members()).toEqual([two, three].toSorted())
  // As Entra spells it since its change of 2018.
  await directory.patch(path, { op: 'Remove', path: `members[value eq "${two}"]` })
  expect(await members()).toEqual([three])
  const asked = encodeURIComponent(`id eq "${made.json().id}" and members eq "${three}"`)
  expect((await directory.get(`/Groups?filter=${asked}`)).json()).toMatchObject({ totalResults: 1 })
  expect((await directory.get(`/Users/${three}`)).json().groups).toMatchObject([
    { value: made.json().id, display: 'Media buyers' },
  ])
  await directory.patch(path, { op: 'Replace', path: 'displayName', value: 'Buyers' })
  expect((await directory.get(path)).json().displayName).toBe('Buyers')
  expect((await directory.delete(path)).statusCode).toBe(204)
  expect((await directory.get(path)).statusCode).toBe(404)
  expect((await directory.get(`/Users/${three}`)).json().groups).toEqual([])
})

test('Okta looks for a person, makes, replaces, ends and lets it in again', async () => {
  const { owner, directory } = await company()
  expect((await directory.get('/Users?startIndex=1&count=2')).statusCode).toBe(200)
  expect((await directory.get('/Groups?startIndex=1&count=100')).statusCode).toBe(200)
  const userName = newAddress()
  const search = `/Users?filter=userName%20eq%20%22${encodeURIComponent(userName)}%22&startIndex=1&count=100`
  expect((await directory.get(search)).json().totalResults).toBe(0)
  const body = {
    schemas: [core],
    userName,
    name: { givenName: 'Mary', familyName: 'Lee' },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: 'Mary Lee',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  }
  const { id } = (await directory.post('/Users', body)).json()
  const login = { email: userName, password: body.password }
  expect((await world.anonymous.post('/auth/login', login)).statusCode).toBe(401)
  const renamed = { ...body, id, displayName: 'Mary Q.', meta: { resourceType: 'User' } }
  expect((await directory.put(`/Users/${id}`, renamed)).json().displayName).toBe('Mary Q.')
  const off = await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
  expect(off.statusCode).toBe(200)
  expect((await owner.get(`/members/${id}`)).json().disabled).toBe(true)
  const on = await directory.put(`/Users/${id}`, { ...renamed, active: true })
  expect(on.json().active).toBe(true)
})

test('Okta makes a group, renames, fills and replaces it', async () => {
  const { directory } = await company()
  const [one, two, three] = await madeUsers(directory, 3)
  const made = await directory.post('/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName: 'Test SCIMv2',
    members: [{ value: one, display: 'one@example.com' }],
  })
  const { id, members } = made.json()
  const path = `/Groups/${id}`
  expect(members).toMatchObject([{ value: one, type: 'User' }])
  const values = async () =>
    (await directory.get(path)).json().members.map(({ value }: { value: string }) => value)
  await directory.patch(path, { op: 'replace', value: { id, displayName: 'Test SCIMv2 again' } })
  expect((await directory.get(path)).json().displayName).toBe('Test SCIMv2 again')
  await directory.patch(
    path,
    { op: 'remove', path: `members[value eq "${one}"]` },
    { op: 'add', path: 'members', value: [{ value: two, display: 'two@example.com' }] },
  )
  expect(await values()).toEqual([two])
  await directory.patch(path, {
    op: 'replace',
    path: 'members',
    value: [{ value: two }, { value: three }],
  })
  expect(await values()).toEqual([two, three].toSorted())
  const put = await directory.put(path, {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    id,
    displayName: 'Okta',
    members: [{ value: one, display: 'one@example.com' }],
  })
  expect(put.json()).toMatchObject({ displayName: 'Okta', members: [{ value: one }] })
  const again = await directory.post('/Groups', { displayName: 'OKTA' })
  expect(again.json()).toMatchObject({ status: '409', scimType: 'uniqueness' })
})

test('what a directory does with groups is in the audit log', async () => {
  const { owner, directory } = await company()
  const [one] = await madeUsers(directory, 1)
  const { id } = (await directory.post('/Groups', { displayName: 'Buyers' })).json()
  await directory.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: one }] })
  await directory.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: one }] })
  await directory.delete(`/Groups/${id}`)
  const { data } = (await owner.get(`/audit_logs?resource_id=${id}&sort=sequence`)).json()
  expect(data).toMatchObject([
    { action: 'group.created', resource: { type: 'group', name: 'Buyers' } },
    { action: 'group.updated', changes: [{ field: 'joined', after: [one] }] },
    { action: 'group.deleted', actor: { type: 'api_key', id: directory.id } },
  ])
  expect((await owner.get('/audit_logs/verify')).json().valid).toBe(true)
})
