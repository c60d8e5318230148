import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { directoryOf } from '../../../../test/support/clients/directory.ts'
import { openWorld, type World } from '../../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const newAddress = () => `grace-${randomUUID()}@example.com`
const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
const bodyOf = (userName: string, more: object = {}) => ({
  schemas: [userSchema],
  userName,
  name: { givenName: 'Grace', familyName: 'Hopper' },
  ...more,
})

async function company() {
  const organization = await world.organization()
  return { ...organization, directory: await directoryOf(world, organization.owner) }
}

const errorOf = (status: number, scimType?: string) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimType && { scimType }),
})

test('a user made by a directory is a member without a password', async () => {
  const { owner, directory } = await company()
  const userName = newAddress()
  const made = await directory.post(
    '/Users',
    bodyOf(userName, { externalId: 'E-1', title: 'Admiral' }),
  )
  expect(made.statusCode).toBe(201)
  expect(made.headers['content-type']).toBe('application/scim+json; charset=utf-8')
  const user = made.json()
  expect(made.headers.location).toBe(user.meta.location)
  expect(user).toMatchObject({
    schemas: [userSchema],
    externalId: 'E-1',
    userName,
    displayName: 'Grace Hopper',
    name: { givenName: 'Grace', familyName: 'Hopper', formatted: 'Grace Hopper' },
    active: true,
    emails: [{ value: userName, type: 'work', primary: true }],
    groups: [],
    meta: { resourceType: 'User' },
  })
  expect(user).not.toHaveProperty('title')
  const member = (await owner.get(`/members/${user.id}`)).json()
  expect(member).toMatchObject({
    email: userName,
    name: 'Grace Hopper',
    role: 'viewer',
    disabled: false,
    from_directory: true,
  })
  for (const password of ['', 'correct horse battery staple']) {
    const login = await world.anonymous.post('/auth/login', { email: userName, password })
    expect([401, 422]).toContain(login.statusCode)
  }
  const { data } = (await owner.get(`/audit_logs?action=member.*&resource_id=${user.id}`)).json()
  expect(data).toMatchObject([
    { action: 'member.created', actor: { type: 'api_key', id: directory.id } },
  ])
  const events = (await owner.get('/events?type=member.created')).json().data
  expect(events[0].data.object).toMatchObject({ id: user.id, from_directory: true })
})

test('a repeated POST finds the address taken, and makes no one twice', async () => {
  const { owner, directory } = await company()
  const body = bodyOf(newAddress())
  const both = await Promise.all([directory.post('/Users', body), directory.post('/Users', body)])
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
  const again = await directory.post('/Users', { ...body, userName: body.userName.toUpperCase() })
  expect(again.json()).toMatchObject(errorOf(409, 'uniqueness'))
  expect((await owner.get(`/members?email=${body.userName}`)).json().data).toHaveLength(1)
})

test('users are found by userName and externalId, whatever the case of the attribute', async () => {
  const { directory } = await company()
  const userName = newAddress()
  const { id } = (await directory.post('/Users', bodyOf(userName, { externalId: 'a"b\\c' }))).json()
  const found = async (filter: string) => {
    const reply = await directory.get(`/Users?filter=${encodeURIComponent(filter)}`)
    expect(reply.statusCode).toBe(200)
    return reply.json().Resources.map((user: { id: string }) => user.id)
  }
  expect(await found(`userName eq "${userName}"`)).toEqual([id])
  expect(await found(`USERNAME Eq "${userName.toUpperCase()}"`)).toEqual([id])
  expect(await found(`${userSchema}:userName eq "${userName}"`)).toEqual([id])
  expect(await found(`emails[type eq "work"].value eq "${userName}"`)).toEqual([id])
  expect(await found(`externalId eq ${JSON.stringify('a"b\\c')}`)).toEqual([id])
  expect(await found(`externalId eq "a"`)).toEqual([])
  expect(await found(`userName eq "${userName}" and externalId eq "other"`)).toEqual([])
})

test('lists go by startIndex and count', async () => {
  const { directory } = await company()
  for (const _ of [1, 2, 3]) await directory.post('/Users', bodyOf(newAddress()))
  const page = async (query: string) => (await directory.get(`/Users?${query}`)).json()
  const first = await page('startIndex=1&count=3')
  expect(first).toMatchObject({ totalResults: 4, startIndex: 1, itemsPerPage: 3 })
  const second = await page('startIndex=4&count=3')
  expect(second).toMatchObject({ totalResults: 4, startIndex: 4, itemsPerPage: 1 })
  const ids = [...first.Resources, ...second.Resources].map(({ id }) => id)
  expect(new Set(ids).size).toBe(4)
  expect(await page('count=0')).toMatchObject({ totalResults: 4, itemsPerPage: 0, Resources: [] })
  expect(await page('startIndex=-5&count=-1')).toMatchObject({ startIndex: 1, itemsPerPage: 0 })
  expect(await page('count=999999999999')).toMatchObject({ itemsPerPage: 4 })
  expect(await page('startIndex=999999999999')).toMatchObject({ totalResults: 4, Resources: [] })
  const narrow = await page('attributes=userName&count=1')
  expect(Object.keys(narrow.Resources[0]).sort()).toEqual(['id', 'schemas', 'userName'])
})

test('active: false ends the sessions at once, and active: true lets the person in again', async () => {
  const { owner, as, directory } = await company()
  const person = await as('editor')
  const path = `/Users/${person.userId}`
  expect((await person.get('/auth/me')).statusCode).toBe(200)
  const off = await directory.patch(path, { op: 'replace', value: { active: false } })
  expect(off.json()).toMatchObject({ active: false })
  expect((await person.get('/auth/me')).statusCode).toBe(401)
  expect((await owner.get(`/members/${person.userId}`)).json().disabled).toBe(true)
  const on = await directory.patch(path, { op: 'replace', value: { active: true } })
  expect(on.json()).toMatchObject({ active: true })
  expect((await owner.get(`/members/${person.userId}`)).json()).toMatchObject({
    disabled: false,
    role: 'editor',
    from_directory: true,
  })
})

test('a PUT replaces what the directory says, and nothing else of the member', async () => {
  const { owner, directory } = await company()
  const userName = newAddress()
  const made = await directory.post('/Users', bodyOf(userName, { externalId: 'E-1' }))
  const { id } = made.json()
  await owner.patch(`/members/${id}`, { role: 'auditor' })
  const put = await directory.put(`/Users/${id}`, { userName, displayName: 'G. Hopper' })
  expect(put.json()).toMatchObject({ displayName: 'G. Hopper', active: true })
  expect(put.json()).not.toHaveProperty('externalId')
  expect(put.json().name).toEqual({ formatted: 'G. Hopper' })
  expect((await owner.get(`/members/${id}`)).json().role).toBe('auditor')
  const { version } = (await owner.get(`/members/${id}`)).json()
  await directory.put(`/Users/${id}`, { userName, displayName: 'G. Hopper' })
  expect((await owner.get(`/members/${id}`)).json().version).toBe(version)
  const logged = (await owner.get(`/audit_logs?resource_id=${id}`)).json().data
  const changed = logged.flatMap(({ changes }: { changes: { field: string }[] }) => changes)
  expect(changed.map(({ field }: { field: string }) => field)).toContain('external_id')
})

test('a deleted user is a disabled member, whom the directory makes again with the same id', async () => {
  const { owner, directory } = await company()
  const body = bodyOf(newAddress(), { externalId: 'E-1' })
  const { id } = (await directory.post('/Users', body)).json()
  expect((await directory.delete(`/Users/${id}`)).statusCode).toBe(204)
  expect((await owner.get(`/members/${id}`)).json().disabled).toBe(true)
  expect((await directory.get(`/Users/${id}`)).json()).toMatchObject(errorOf(404))
  expect((await directory.delete(`/Users/${id}`)).statusCode).toBe(404)
  expect((await directory.patch(`/Users/${id}`, { op: 'add', value: {} })).statusCode).toBe(404)
  expect((await directory.get('/Users')).json().totalResults).toBe(1)
  const again = await directory.post('/Users', body)
  expect(again.statusCode).toBe(201)
  expect(again.json()).toMatchObject({ id, active: true, externalId: 'E-1' })
})

test('a member who is enabled by hand after that is there again for the directory', async () => {
  const { owner, directory } = await company()
  const { id } = (await directory.post('/Users', bodyOf(newAddress()))).json()
  await directory.delete(`/Users/${id}`)
  await owner.patch(`/members/${id}`, { disabled: false })
  expect((await directory.get(`/Users/${id}`)).json()).toMatchObject({ active: true })
})

test('what is no user is refused in the words of SCIM', async () => {
  const { directory } = await company()
  const { id } = (await directory.post('/Users', bodyOf(newAddress()))).json()
  const faulty: [object, string][] = [
    [{ userName: 'grace' }, 'invalidValue'],
    [{}, 'invalidValue'],
    [{ userName: 7 }, 'invalidValue'],
    [{ userName: newAddress(), displayName: 'x'.repeat(256) }, 'invalidValue'],
    [{ userName: newAddress(), externalId: 'a\u0000' }, 'invalidValue'],
    [{ userName: newAddress(), active: 'maybe' }, 'invalidValue'],
  ]
  for (const [body, scimType] of faulty) {
    const refused = await directory.post('/Users', body)
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toMatchObject(errorOf(400, scimType))
  }
  const patches: [object, string][] = [
    [{ op: 'move', path: 'active', value: true }, 'invalidSyntax'],
    [{ op: 'replace', path: 'a b', value: true }, 'invalidPath'],
    [{ op: 'replace', path: 7, value: true }, 'invalidPath'],
    [{ op: 'replace', path: `a${'.b'.repeat(10_000)}`, value: true }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[[[[', value: true }, 'invalidPath'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'remove', path: 'userName' }, 'invalidValue'],
    [{ op: 'replace', value: 'x' }, 'invalidValue'],
  ]
  for (const [operation, scimType] of patches) {
    const refused = await directory.patch(`/Users/${id}`, operation)
    expect([operation, refused.json()]).toMatchObject([operation, errorOf(400, scimType)])
  }
  const many = Array.from({ length: 101 }, () => ({ op: 'add', value: {} }))
  expect((await directory.patch(`/Users/${id}`, ...many)).json()).toMatchObject(
    errorOf(400, 'tooMany'),
  )
  expect((await directory.patch(`/Users/${id}`)).json()).toMatchObject(
    errorOf(400, 'invalidSyntax'),
  )
})

test('externalId belongs to one user of the organization', async () => {
  const { directory } = await company()
  const other = await company()
  await directory.post('/Users', bodyOf(newAddress(), { externalId: 'E-1' }))
  const taken = await directory.post('/Users', bodyOf(newAddress(), { externalId: 'E-1' }))
  expect(taken.json()).toMatchObject(errorOf(409, 'uniqueness'))
  const elsewhere = await other.directory.post(
    '/Users',
    bodyOf(newAddress(), { externalId: 'E-1' }),
  )
  expect(elsewhere.statusCode).toBe(201)
})
