import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { madeKey } from '../../../test/support/api-keys.ts'
import { missingPath } from '../../../test/support/cases/unknown-ids.ts'
import { callsOf, directoryOf } from '../../../test/support/clients/directory.ts'
import { endpoints } from '../../../test/support/documented.ts'
import { openWorld, unlimited, type World } from '../../../test/support/world.ts'
import { methodsOf } from '../../http/endpoint.ts'
import { exampleId } from '../../values/ids.ts'
import { groupIds } from './resource.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
})
afterAll(() => world.close())

const newAddress = () => `ada-${randomUUID()}@example.com`

async function company() {
  const organization = await world.organization()
  return { ...organization, directory: await directoryOf(world, organization.owner) }
}

test('the key of a directory reaches nothing of the API but who it is', async () => {
  const { directory } = await company()
  const guarded = endpoints.filter(({ permission }) => permission !== null)
  const reached: string[] = []
  for (const endpoint of guarded) {
    for (const method of methodsOf(endpoint)) {
      const reply = await directory.client.call({ method, url: missingPath(endpoint.path) })
      if (reply.statusCode !== 403) reached.push(`${method} ${endpoint.path} ${reply.statusCode}`)
    }
  }
  expect(guarded.length).toBeGreaterThan(150)
  expect(reached).toEqual(['GET /auth/me 200'])
  const { statusCode } = await world.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { authorization: `Bearer ${directory.key}`, host: '127.0.0.1' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  })
  expect(statusCode).toBe(403)
})

test('no session and no other key reaches /scim/v2', async () => {
  const { owner, as, directory } = await company()
  const admin = await as('admin')
  const connector = await madeKey(world, owner, { role: 'connector' })
  const key = await madeKey(world, owner, { role: 'admin' })
  for (const token of [owner.token, admin.token, connector.key, key.key]) {
    const calls = callsOf(world, token)
    const replies = [
      await calls.get('/Users'),
      await calls.post('/Users', { userName: newAddress() }),
      await calls.get('/Groups'),
      await calls.get('/ServiceProviderConfig'),
      await calls.delete(`/Users/${owner.userId}`),
    ]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403, 403])
    expect(replies[0]?.json().schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error'])
  }
  const noOne = await callsOf(world, null).get('/Users')
  expect(noOne.statusCode).toBe(401)
  expect(noOne.headers['www-authenticate']).toBe('Bearer')
  expect(noOne.json()).toMatchObject({ status: '401' })
  expect((await owner.delete(`/api_keys/${directory.id}`)).statusCode).toBe(204)
  expect((await directory.get('/Users')).statusCode).toBe(401)
})

test('a key has no scope, and ends with the right of who made it', async () => {
  const { owner, as } = await company()
  const body = { name: 'Directory', role: 'provisioner', scope: { labels: ['a'] } }
  const scoped = await owner.post('/api_keys', body)
  expect(scoped.json().errors).toMatchObject([{ pointer: '/scope', code: 'scope_not_allowed' }])
  const editor = await as('editor')
  expect((await editor.post('/api_keys', { ...body, scope: null })).statusCode).toBe(403)
  const admin = await as('admin')
  const directory = await directoryOf(world, admin)
  expect((await directory.get('/Users')).statusCode).toBe(200)
  await owner.put(`/members/${admin.userId}`, { role: 'editor' })
  expect((await directory.get('/Users')).statusCode).toBe(403)
})

test('what another organization has is not there', async () => {
  const { directory, owner } = await company()
  const other = await company()
  const mine = (await directory.post('/Groups', { displayName: 'Mine' })).json()
  const paths = [`/Users/${owner.userId}`, `/Groups/${mine.id}`]
  const missing = [`/Users/usr_x`, `/Groups/${exampleId(groupIds)}`]
  const bodyAt = (path: string) =>
    path.startsWith('/Users') ? { userName: newAddress() } : { displayName: 'Theirs' }
  for (const [at, path] of paths.entries()) {
    const replies = [
      await other.directory.get(path),
      await other.directory.put(path, bodyAt(path)),
      await other.directory.patch(path, { op: 'replace', value: { active: false } }),
      await other.directory.delete(path),
    ]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404])
    expect(replies[0]?.body).toBe((await other.directory.get(missing[at] ?? '')).body)
  }
  const joined = await other.directory.post('/Groups', {
    displayName: 'Ours',
    members: [{ value: owner.userId }],
  })
  expect(joined.json()).toMatchObject({ status: '400', scimType: 'invalidValue' })
  expect((await directory.get('/Groups')).json()).toMatchObject({ totalResults: 1 })
})

test('what a filter holds is compared, and never run', async () => {
  const { directory } = await company()
  await directory.post('/Users', { userName: newAddress(), externalId: 'E-1' })
  const found = async (filter: string) => {
    const reply = await directory.get(`/Users?filter=${encodeURIComponent(filter)}`)
    return reply.statusCode === 200 ? reply.json().totalResults : reply.json().scimType
  }
  expect(await found(`externalId eq "E-1"`)).toBe(1)
  expect(await found(`externalId eq "' or '1'='1"`)).toBe(0)
  expect(await found(`userName eq "%"`)).toBe(0)
  expect(await found(`externalId eq "E-1\\" or externalId pr or \\""`)).toBe(0)
  const refused = [
    `externalId eq "E-1" or externalId pr`,
    `externalId pr`,
    `externalId eq E-1`,
    `password eq "x"`,
    `externalId eq "E-1`,
    `externalId eq "\\q"`,
    `externalId eq "E-1" and`,
    `${'('.repeat(500)}externalId eq "E-1"${')'.repeat(400)}`,
    `externalId eq "${'x'.repeat(1_000)}"`,
    `${'a.'.repeat(490)} eq`,
  ]
  for (const filter of refused)
    expect([filter, await found(filter)]).toEqual([filter, 'invalidFilter'])
})

test('nothing gives or takes the role of an owner', async () => {
  const { owner, as, directory } = await company()
  const second = await as('owner')
  const path = `/Users/${second.userId}`
  await directory.patch(path, { op: 'replace', path: 'roles', value: [{ value: 'viewer' }] })
  await directory.patch(path, { op: 'replace', path: 'role', value: 'viewer' })
  expect((await owner.get(`/members/${second.userId}`)).json().role).toBe('owner')
  const moved = await directory.patch(path, {
    op: 'replace',
    path: 'userName',
    value: newAddress(),
  })
  expect(moved.statusCode).toBe(403)
  // People who leave the company are put out by the directory, and let in again by owners.
  expect(
    (await directory.patch(path, { op: 'replace', value: { active: false } })).statusCode,
  ).toBe(200)
  const enabled = await directory.patch(path, { op: 'replace', value: { active: true } })
  expect(enabled.statusCode).toBe(403)
  expect((await owner.get(`/members/${second.userId}`)).json()).toMatchObject({
    role: 'owner',
    disabled: true,
    email: second.email,
  })
  const denied = (await owner.get('/audit_logs?outcome=denied')).json().data
  expect(denied).toMatchObject([
    { action: 'member.updated', resource: { id: second.userId }, actor: { type: 'api_key' } },
    { action: 'member.updated', resource: { id: second.userId }, actor: { type: 'api_key' } },
  ])
  const made = await directory.post('/Users', {
    userName: newAddress(),
    roles: [{ value: 'owner', primary: true }],
    entitlements: ['owner'],
  })
  expect((await owner.get(`/members/${made.json().id}`)).json().role).toBe('viewer')
})

test('the last owner stays, and owners are not for the directory of an admin', async () => {
  const { owner, as, directory } = await company()
  const path = `/Users/${owner.userId}`
  for (const refused of [
    await directory.patch(path, { op: 'Replace', path: 'active', value: 'False' }),
    await directory.delete(path),
  ]) {
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toMatchObject({ status: '409' })
  }
  const admins = await directoryOf(world, await as('admin'))
  expect((await admins.delete(path)).statusCode).toBe(409)
  const second = await as('owner')
  expect((await admins.delete(`/Users/${second.userId}`)).statusCode).toBe(403)
  expect((await admins.get(`/Users/${second.userId}`)).json()).toMatchObject({ active: true })
})

test('an address that is not free stays with whom it is', async () => {
  const { owner, as, directory } = await company()
  const other = await company()
  const colleague = await as('viewer')
  const { id } = (await directory.post('/Users', { userName: newAddress() })).json()
  for (const taken of [other.owner.email, colleague.email]) {
    const replies = [
      await directory.post('/Users', { userName: taken }),
      await directory.put(`/Users/${id}`, { userName: taken }),
      await directory.patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: taken }),
    ]
    for (const reply of replies) {
      expect(reply.json()).toMatchObject({ status: '409', scimType: 'uniqueness' })
    }
  }
  expect((await other.owner.get('/auth/me')).json().user.email).toBe(other.owner.email)
  const free = newAddress()
  const moved = await directory.put(`/Users/${id}`, { userName: free })
  expect(moved.json()).toMatchObject({ id, userName: free })
  expect((await owner.get(`/members/${id}`)).json().email).toBe(free)
  expect((await other.directory.post('/Users', { userName: free })).statusCode).toBe(409)
})

test('large and deep bodies are refused', async () => {
  const { directory } = await company()
  const huge = await directory.post('/Users', { userName: newAddress(), x: 'x'.repeat(10_000_000) })
  expect(huge.statusCode).toBe(413)
  expect(huge.json()).toMatchObject({ status: '413' })
  const deep = JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`)
  const refused = await directory.post('/Users', { userName: newAddress(), ...deep })
  expect(refused.json()).toMatchObject({ status: '400', scimType: 'invalidSyntax' })
  const members = Array.from({ length: 5_001 }, (_, at) => ({ value: `usr_${at}` }))
  const crowd = await directory.post('/Groups', { displayName: 'All', members })
  expect(crowd.json()).toMatchObject({ status: '400', scimType: 'tooMany' })
  const text = await world.app.inject({
    method: 'POST',
    url: '/scim/v2/Users',
    headers: { authorization: `Bearer ${directory.key}`, 'content-type': 'text/plain' },
    payload: '{}',
  })
  expect(text.statusCode).toBe(415)
})

test('unknown paths and methods are answered in the words of SCIM', async () => {
  const { directory } = await company()
  expect((await directory.get('/Nothing')).json()).toMatchObject({ status: '404' })
  expect((await directory.post('/Bulk', {})).json()).toMatchObject({ status: '404' })
  const wrong = await directory.delete('/Users')
  expect(wrong.statusCode).toBe(405)
  expect(wrong.headers.allow).toBe('GET, HEAD, POST')
})

test('a directory counts against the limits of the organization', async () => {
  const organization = await world.organization({ plan: 'free' })
  const directory = await directoryOf(world, organization.owner)
  const replies = await Promise.all(
    Array.from({ length: 110 }, () => directory.get('/Users?count=0')),
  )
  const limited = replies.filter(({ statusCode }) => statusCode === 429)
  expect(limited.length).toBeGreaterThan(5)
  expect(limited[0]?.headers['retry-after']).toBeDefined()
  expect(limited[0]?.json()).toMatchObject({ status: '429' })
})
