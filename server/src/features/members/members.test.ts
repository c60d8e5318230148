import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, password, type World } from '../../../test/support/world.ts'

let world: World
let count = 0

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const newEmail = () => `Member-${count++}-${randomUUID()}@Example.com`
const body = (role: string) => ({ email: newEmail(), name: 'Grace', role, password })

test('a member made without a password logs in with the one shown once', async () => {
  const { owner } = await world.organization()
  const { password: _, ...fields } = body('editor')
  const made = await owner.post('/members', fields)
  expect(made.statusCode).toBe(201)
  expect(made.headers['cache-control']).toBe('no-store')
  const { id, email, temporary_password } = made.json()
  expect(made.headers.location).toBe(`/api/v1/members/${id}`)
  expect(email).toBe(fields.email.toLowerCase())
  const login = { email: fields.email, password: temporary_password }
  expect((await world.anonymous.post('/auth/login', login)).statusCode).toBe(200)
  expect((await owner.get(`/members/${id}`)).json()).not.toHaveProperty('temporary_password')
  const trail = (await owner.get(`/audit_logs?resource_id=${id}`)).body
  expect(trail).not.toContain(temporary_password)
})

test('a replayed creation shows no password again', async () => {
  const { owner } = await world.organization()
  const { password: _, ...fields } = body('viewer')
  const key = { 'idempotency-key': 'once' }
  const first = await owner.post('/members', fields, key)
  const again = await owner.post('/members', fields, key)
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(again.json()).toEqual({ ...first.json(), temporary_password: null })
})

test('a chosen password is not returned, and a weak one is refused', async () => {
  const { owner } = await world.organization()
  expect((await owner.post('/members', body('admin'))).json().temporary_password).toBeNull()
  for (const [weak, code] of [
    ['Zu kurz', 'too_short'],
    ['Password1234', 'password_too_common'],
  ]) {
    const refused = await owner.post('/members', { ...body('admin'), password: weak })
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors).toMatchObject([{ pointer: '/password', code }])
    expect(refused.body).not.toContain(weak)
  }
})

test('an email belongs to one user of the whole service, regardless of case', async () => {
  const { owner } = await world.organization()
  const other = await world.organization()
  const fields = body('viewer')
  await owner.post('/members', fields)
  const taken = await other.owner.post('/members', { ...fields, email: fields.email.toUpperCase() })
  expect(taken.statusCode).toBe(409)
  expect(taken.json().code).toBe('email_taken')
})

test('the email of a deleted member can be used again, in any organization', async () => {
  const [first, second] = [await world.organization(), await world.organization()]
  const fields = body('viewer')
  const login = () => world.anonymous.post('/auth/login', { email: fields.email, password })
  const made = await first.owner.post('/members', fields)
  expect((await login()).json().organization.id).toBe(first.id)
  expect((await second.owner.post('/members?validate_only=true', fields)).statusCode).toBe(409)
  expect((await first.owner.delete(`/members/${made.json().id}`)).statusCode).toBe(204)
  expect((await login()).statusCode).toBe(401)
  expect((await second.owner.post('/members', fields)).statusCode).toBe(201)
  expect((await login()).json().organization.id).toBe(second.id)
})

test('invalid emails, roles and unknown fields are reported all at once', async () => {
  const { owner } = await world.organization()
  const bad = { email: 'unknown', name: '', role: 'boss', disabled: true, nmae: 'x' }
  const { errors } = (await owner.post('/members', bad)).json()
  const codes = errors.map((each: Record<string, string>) => `${each.pointer} ${each.code}`).sort()
  expect(codes).toEqual([
    '/disabled read_only_field',
    '/email invalid_format',
    '/name too_short',
    '/nmae unknown_field',
    '/role invalid_enum_value',
  ])
})

test('an admin manages everyone but owners, and each refusal is audited', async () => {
  const { owner, as } = await world.organization()
  const admin = await as('admin')
  const second = await as('owner')
  const viewer = await as('viewer')
  const path = `/members/${viewer.userId}`
  expect((await admin.put(path, { role: 'editor' })).json().role).toBe('editor')
  const refusals = [
    await admin.post('/members', body('owner')),
    await admin.put(path, { role: 'owner' }),
    await admin.patch(`/members/${second.userId}`, { name: 'Renamed' }),
    await admin.delete(`/members/${second.userId}`),
  ]
  for (const refused of refusals) {
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toMatchObject({ code: 'insufficient_role', required_roles: ['owner'] })
  }
  const { data } = (await owner.get('/audit_logs?outcome=denied&sort=sequence')).json()
  expect(data.map((record: { action: string }) => record.action)).toEqual([
    'member.created',
    'member.updated',
    'member.updated',
    'member.deleted',
  ])
  expect(data[3]).toMatchObject({
    resource: { type: 'member', id: second.userId, name: 'owner user' },
    request: { method: 'DELETE', status: 403 },
  })
})

test('the last enabled owner cannot leave, be demoted or be disabled', async () => {
  const { owner, as } = await world.organization()
  const own = `/members/${owner.userId}`
  const attempts = [
    await owner.put(own, { role: 'admin' }),
    await owner.put(own, { disabled: true }),
    await owner.delete(own),
  ]
  for (const refused of attempts) {
    expect(refused.statusCode).toBe(409)
    expect(refused.json().code).toBe('last_owner')
  }
  const second = await as('owner')
  expect((await owner.put(own, { role: 'admin' })).statusCode).toBe(200)
  expect((await second.delete(`/members/${second.userId}`)).statusCode).toBe(409)
})

test('when two owners demote each other at the same instant one remains', async () => {
  const { owner, as } = await world.organization()
  const second = await as('owner')
  const replies = await Promise.all([
    owner.put(`/members/${second.userId}`, { role: 'admin' }),
    second.put(`/members/${owner.userId}`, { role: 'admin' }),
  ])
  expect(replies.filter((reply) => reply.statusCode === 200)).toHaveLength(1)
})

test('a changed role and a disabled user apply to the very next request', async () => {
  const { owner, as } = await world.organization()
  const user = await as('viewer')
  const path = `/members/${user.userId}`
  expect((await user.get('/audit_logs')).statusCode).toBe(403)
  await owner.put(path, { role: 'auditor' })
  expect((await user.get('/audit_logs')).statusCode).toBe(200)
  await owner.put(path, { disabled: true })
  expect((await user.get('/auth/me')).json().code).toBe('token_revoked')
  await owner.put(path, { disabled: false })
  expect((await user.get('/auth/me')).statusCode).toBe(401)
})

test('a deleted member is logged out at once, permanently', async () => {
  const { owner, as } = await world.organization()
  const user = await as('editor')
  const path = `/members/${user.userId}`
  expect((await owner.delete(path)).statusCode).toBe(204)
  expect((await owner.delete(path)).statusCode).toBe(404)
  expect((await user.get('/auth/me')).statusCode).toBe(401)
})

test('an update without changes keeps version and audit log', async () => {
  const { owner, as } = await world.organization()
  const { userId } = await as('viewer')
  const path = `/members/${userId}`
  const before = (await owner.get(path)).json()
  expect((await owner.put(path, before)).json()).toEqual(before)
  const { data } = (await owner.get('/audit_logs?action=member.updated')).json()
  expect(data).toEqual([])
  const moved = await owner.put(path, { email: 'new@example.com' })
  expect(moved.json().errors).toMatchObject([{ pointer: '/email', code: 'read_only_field' }])
})

test('members are listed by filter and order, and only to owners and admins', async () => {
  const { owner, as } = await world.organization()
  for (const name of ['Zoe', 'Adam', 'Maria']) {
    await owner.post('/members', { ...body('editor'), name })
  }
  const listed = (await owner.get('/members?role=editor&sort=name&limit=2')).json()
  expect(listed.data.map(({ name }: { name: string }) => name)).toEqual(['Adam', 'Maria'])
  const { next_cursor } = listed.meta
  const rest = (await owner.get(`/members?cursor=${next_cursor}`)).json()
  expect(rest.data.map(({ name }: { name: string }) => name)).toEqual(['Zoe'])
  expect((await owner.get('/members?q=mAR')).json().data).toHaveLength(1)
  expect((await owner.get('/members?disabled=true')).json().data).toEqual([])
  expect((await (await as('editor')).get('/members')).statusCode).toBe(403)
})

test('a member of another organization is a missing one', async () => {
  const { owner } = await world.organization()
  const { owner: stranger } = await world.organization()
  const path = `/members/${stranger.userId}`
  for (const reply of [
    await owner.get(path),
    await owner.put(path, { name: 'X' }),
    await owner.delete(path),
    await owner.get('/members/usr_x'),
  ]) {
    expect(reply.statusCode).toBe(404)
  }
})

test('a weak password is reported together with all other faults', async () => {
  const { owner } = await world.organization()
  const fields = { email: 'x', name: '', role: 'boss', password: 'short' }
  const { errors } = (await owner.post('/members', fields)).json()
  expect(
    errors
      .map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)
      .sort(),
  ).toEqual([
    '/email invalid_format',
    '/name too_short',
    '/password too_short',
    '/role invalid_enum_value',
  ])
  const about = errors.find(({ pointer }: { pointer: string }) => pointer === '/password')
  expect(about).not.toHaveProperty('given')
})

test('an email has at most 254 characters', async () => {
  const { owner } = await world.organization()
  const domain = `${`${'b'.repeat(60)}.`.repeat(4)}`.slice(0, -1)
  const email = `${'a'.repeat(8)}@${domain}.cd`
  const { errors } = (await owner.post('/members', { ...body('viewer'), email })).json()
  expect(email).toHaveLength(255)
  expect(errors).toMatchObject([{ pointer: '/email', code: 'too_long', limit: 254 }])
})
