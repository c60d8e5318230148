import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Client, faultsOf, openWorld, type World } from '../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ env: { FLIGHTDECK_EGRESS_ALLOW: '10.7.0.0/16' } })
})
afterAll(() => world.close())

const target = { protocol: 'http', host: 'proxy.example.com', port: 8080 }
const secrets = { username: 'uma-the-user', password: 'hunter2-very-secret' }

const created = async (client: Client, body: object = {}) =>
  (await client.post('/proxies', { ...target, ...body })).json()

const rowsFor = (table: string, organizationId: string) =>
  world.services.database.reader.query<Record<string, unknown>>({
    sql: `select * from ${table} where organization_id = $1`,
    parameters: [organizationId],
  })

const recordsOf = async (organizationId: string) => {
  const rows = await rowsFor('audit_logs', organizationId)
  return rows.sort((a, b) => Number(a.sequence) - Number(b.sequence))
}

describe('creating', () => {
  test('a proxy is named after its target, and shows no password', async () => {
    const { owner } = await world.organization()
    const reply = await owner.post('/proxies', { ...target, ...secrets })
    expect(reply.statusCode).toBe(201)
    expect(reply.headers.location).toBe(`/api/v1/proxies/${reply.json().id}`)
    expect(reply.json()).toMatchObject({
      name: 'http://proxy.example.com:8080',
      ...target,
      username: secrets.username,
      has_password: true,
      enabled: true,
      status: 'unchecked',
      last_check: null,
      country: null,
      labels: [],
      version: 1,
    })
    expect(reply.body).not.toContain(secrets.password)
    expect(reply.json()).not.toHaveProperty('password')
    expect((await owner.get(`/proxies/${reply.json().id}`)).json()).toEqual(reply.json())
  })

  test('an address is normalized', async () => {
    const { owner } = await world.organization()
    const six = await created(owner, { host: '[2606:4700:4700:0::1111]' })
    expect(six).toMatchObject({
      host: '2606:4700:4700::1111',
      name: 'http://[2606:4700:4700::1111]:8080',
    })
    expect(await created(owner, { host: 'Proxy.Example.COM.' })).toMatchObject({
      host: 'proxy.example.com',
    })
  })

  test.each(['127.0.0.1', '2130706433', 'localhost', '192.168.0.1', '169.254.169.254', '[::1]'])(
    '%s is a forbidden host',
    async (host) => {
      const { owner } = await world.organization()
      const reply = await owner.post('/proxies', { ...target, host })
      expect(reply.statusCode).toBe(422)
      expect(faultsOf(reply)).toEqual(['/host forbidden_host'])
    },
  )

  test('the host of the public URL is forbidden', async () => {
    const named = await openWorld({ env: { FLIGHTDECK_PUBLIC_URL: 'https://ads.example.com' } })
    onTestFinished(named.close)
    const { owner } = await named.organization()
    const reply = await owner.post('/proxies', { ...target, host: 'ads.example.com' })
    expect(faultsOf(reply)).toEqual(['/host forbidden_host'])
  })

  test('an address of this machine, or a port of a database, is forbidden', async () => {
    const own = new Set(['93.184.216.34'])
    const strict = await openWorld({
      alter: (services) => ({
        ...services,
        egress: { ...services.egress, ownAddresses: () => own },
      }),
    })
    onTestFinished(strict.close)
    const { owner } = await strict.organization()
    const { id } = await created(owner)
    for (const body of [{ host: '93.184.216.34' }, { port: 5432 }, { host: '8.8.8.8', port: 22 }]) {
      const replies = [
        await owner.post('/proxies', { ...target, ...body }),
        await owner.patch(`/proxies/${id}`, body),
      ]
      expect(replies.map(faultsOf)).toEqual([['/host forbidden_host'], ['/host forbidden_host']])
    }
    await created(owner, { host: '93.184.216.35', port: 3128 })
  })

  test('a private host that the operator has allowed is accepted', async () => {
    const { owner } = await world.organization()
    expect(await created(owner, { host: '10.7.1.1' })).toMatchObject({ host: '10.7.1.1' })
  })

  test.each(['-a.com', 'a-.com', 'a.-b.com'])('%s is not a host name', async (host) => {
    const { owner } = await world.organization()
    const reply = await owner.post('/proxies', { protocol: 'http', host, port: 1 })
    expect(faultsOf(reply)).toEqual(['/host invalid_format'])
  })

  test('all faults are reported at once, and a password is not returned', async () => {
    const { owner } = await world.organization()
    const password = 'p'.repeat(1025)
    const body = {
      protocol: 'ftp',
      host: '10.0.0.1',
      port: 0,
      country: 'xx',
      password,
      status: 'x',
    }
    const reply = await owner.post('/proxies', body)
    expect(faultsOf(reply).sort()).toEqual([
      '/country invalid_enum_value',
      '/host forbidden_host',
      '/password too_long',
      '/port out_of_range',
      '/protocol invalid_enum_value',
      '/status read_only_field',
    ])
    expect(reply.body).not.toContain('ppp')
    const empty = await owner.post('/proxies', {})
    expect(faultsOf(empty).sort()).toEqual([
      '/host required',
      '/port required',
      '/protocol required',
    ])
  })

  test('the same request with its key makes one proxy, and shows no user name again', async () => {
    const { id, owner } = await world.organization()
    const send = () => owner.post('/proxies', { ...target, ...secrets }, { 'idempotency-key': 'k' })
    const [first, second] = [await send(), await send()]
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(second.json()).toEqual({ ...first.json(), username: null })
    expect(await rowsFor('proxies', id)).toHaveLength(1)
  })
})

describe('secrets', () => {
  test('neither user name nor password is readable in any table or log line', async () => {
    const { id, owner } = await world.organization()
    const headers = { 'idempotency-key': 'k' }
    const proxy = (await owner.post('/proxies', { ...target, ...secrets }, headers)).json()
    await owner.patch(`/proxies/${proxy.id}`, { password: 'another-secret', notes: 'n' })
    await owner.post(`/proxies/${proxy.id}/credentials`, undefined, { 'idempotency-key': 'c' })
    const tables = ['proxies', 'audit_logs', 'events', 'idempotency_keys']
    const rows = await Promise.all(tables.map((table) => rowsFor(table, id)))
    expect(rows.map((each) => each.length > 0)).toEqual([true, true, true, true])
    const kept = JSON.stringify([rows, world.logged])
    for (const secret of [...Object.values(secrets), 'another-secret']) {
      expect(kept).not.toContain(secret)
    }
  })

  test('the audit log shows that they were set and changed', async () => {
    const { id, owner } = await world.organization()
    const proxy = await created(owner, secrets)
    await owner.patch(`/proxies/${proxy.id}`, { password: 'another-secret' })
    const [made, changed] = (await recordsOf(id)).slice(-2)
    const set = { before: null, after: '[redacted]' }
    expect(made?.changes).toContainEqual({ field: 'username', ...set })
    expect(made?.changes).toContainEqual({ field: 'password', ...set })
    expect(changed).toMatchObject({ action: 'proxy.updated', resource: { id: proxy.id } })
    const redacted = { field: 'password', before: '[redacted]', after: '[redacted]' }
    expect(changed?.changes).toEqual([redacted])
  })

  test('a changed password is a change: version, record and event', async () => {
    const { id, owner } = await world.organization()
    const proxy = await created(owner, secrets)
    const before = (await rowsFor('events', id)).length
    const reply = await owner.patch(`/proxies/${proxy.id}`, { password: 'another-secret' })
    expect(reply.json()).toMatchObject({ version: 2, has_password: true })
    expect(await rowsFor('events', id)).toHaveLength(before + 1)
    const again = await owner.patch(`/proxies/${proxy.id}`, { password: 'another-secret' })
    expect(again.json()).toEqual(reply.json())
    expect(await rowsFor('events', id)).toHaveLength(before + 1)
  })

  test('owners and admins reveal them, and the audit log says who did', async () => {
    const organization = await world.organization()
    const { id } = await created(organization.owner, secrets)
    const admin = await organization.as('admin')
    const reply = await admin.post(`/proxies/${id}/credentials`)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual(secrets)
    expect(reply.headers['cache-control']).toBe('no-store')
    const record = (await recordsOf(organization.id)).at(-1)
    expect(record).toMatchObject({
      action: 'proxy.credentials_revealed',
      outcome: 'success',
      actor: { id: admin.userId },
      resource: { type: 'proxy', id },
    })
    const reported = (await rowsFor('events', organization.id)).map(({ type }) => type)
    expect(reported).not.toContain('proxy.credentials_revealed')
  })

  test('a replay reveals nothing', async () => {
    const { owner } = await world.organization()
    const { id } = await created(owner, secrets)
    const reveal = () =>
      owner.post(`/proxies/${id}/credentials`, undefined, { 'idempotency-key': 'k' })
    expect((await reveal()).json()).toEqual(secrets)
    const replay = await reveal()
    expect(replay.headers['idempotency-replayed']).toBe('true')
    expect(replay.json()).toEqual({ username: null, password: null })
  })

  test('an editor who requests them is refused, on record', async () => {
    const organization = await world.organization()
    const { id } = await created(organization.owner, secrets)
    const editor = await organization.as('editor')
    const reply = await editor.post(`/proxies/${id}/credentials`)
    expect(reply.statusCode).toBe(403)
    expect(reply.json().required_roles).toEqual(['owner', 'admin'])
    expect((await recordsOf(organization.id)).at(-1)).toMatchObject({
      action: 'proxy.credentials_revealed',
      outcome: 'denied',
    })
  })
})

describe('changing', () => {
  test.each([{ host: 'other.example.com' }, { port: 9 }, { protocol: 'https' }])(
    'the password is dropped for %o, the user name is kept',
    async (body) => {
      const { owner, id: organizationId } = await world.organization()
      const { id } = await created(owner, secrets)
      const tried = await owner.patch(`/proxies/${id}?validate_only=true`, body)
      expect(tried.json()).toMatchObject({ has_password: false })
      expect(tried.json().warnings).toMatchObject([
        { pointer: '/password', code: 'password_cleared' },
      ])
      const moved = await owner.patch(`/proxies/${id}`, body)
      expect(moved.json()).toMatchObject({ ...body, has_password: false, version: 2 })
      const left = { username: secrets.username, password: null }
      expect((await owner.post(`/proxies/${id}/credentials`)).json()).toEqual(left)
      const records = await recordsOf(organizationId)
      const record = records.find(({ action }) => action === 'proxy.updated')
      expect(record?.changes).toEqual(
        expect.arrayContaining([
          { field: 'has_password', before: true, after: false },
          { field: 'password', before: '[redacted]', after: '[redacted]' },
        ]),
      )
    },
  )

  test('the password is kept when it is sent along, and when the target stays', async () => {
    const { owner } = await world.organization()
    const { id } = await created(owner, secrets)
    const same = { ...target, host: 'Proxy.Example.com.', notes: 'n' }
    const kept = await owner.put(`/proxies/${id}?validate_only=true`, same)
    expect(kept.json()).toMatchObject({ has_password: true, warnings: [] })
    expect((await owner.put(`/proxies/${id}`, same)).json()).toMatchObject({ has_password: true })
    const body = { host: 'other.example.com', password: secrets.password }
    expect((await owner.patch(`/proxies/${id}`, body)).json().has_password).toBe(true)
    expect((await owner.post(`/proxies/${id}/credentials`)).json()).toEqual(secrets)
  })

  test('null clears only the password', async () => {
    const { owner } = await world.organization()
    const { id } = await created(owner, secrets)
    const reply = await owner.patch(`/proxies/${id}`, { port: 9, password: null })
    expect(reply.json()).toMatchObject({ port: 9, has_password: false, username: secrets.username })
  })

  test('a default name follows the target, a given one stays', async () => {
    const { owner } = await world.organization()
    const [standard, named] = [await created(owner), await created(owner, { name: 'Berlin' })]
    const renamed = await owner.patch(`/proxies/${standard.id}`, { port: 9 })
    expect(renamed.json().name).toBe('http://proxy.example.com:9')
    expect((await owner.patch(`/proxies/${named.id}`, { port: 9 })).json().name).toBe('Berlin')
    const cleared = await owner.patch(`/proxies/${named.id}`, { name: null })
    expect(cleared.json().name).toBe('http://proxy.example.com:9')
  })

  test('another target or other credentials make its health unknown', async () => {
    const { id: organizationId, owner, ctx } = await world.organization()
    const { id } = await created(owner, secrets)
    const check = {
      at: '2026-11-21T09:30:00.000Z',
      ok: false,
      latency_ms: 7,
      egress_ip: null,
      error: 'refused',
    }
    const fail = () =>
      ctx.services.database.transaction(async (tx) =>
        tx.send({
          sql: `update proxies set health = 'failing', last_check = $2 where organization_id = $1`,
          parameters: [organizationId, JSON.stringify(check)],
        }),
      )
    await fail()
    const kept = await owner.patch(`/proxies/${id}`, { notes: 'n' })
    expect(kept.json()).toMatchObject({ status: 'failing', last_check: check })
    const off = await owner.patch(`/proxies/${id}`, { enabled: false })
    expect(off.json()).toMatchObject({ status: 'disabled', last_check: check })
    expect((await owner.patch(`/proxies/${id}`, { enabled: true })).json().status).toBe('failing')
    for (const body of [{ username: 'b' }, { password: 'b' }, { port: 1 }]) {
      await fail()
      const reply = await owner.patch(`/proxies/${id}`, body)
      expect(reply.json()).toMatchObject({ status: 'unchecked', last_check: null })
      expect((await owner.get(`/proxies/${id}`)).json()).toEqual(reply.json())
    }
  })

  test('a PUT of what was read changes nothing', async () => {
    const { id, owner } = await world.organization()
    const proxy = await created(owner, secrets)
    const before = (await recordsOf(id)).length
    const reply = await owner.put(`/proxies/${proxy.id}`, proxy)
    expect(reply.json()).toEqual(proxy)
    expect(await recordsOf(id)).toHaveLength(before)
  })

  test('If-Match with another version changes nothing', async () => {
    const { owner } = await world.organization()
    const { id } = await created(owner)
    const headers = { 'if-match': '"7"' }
    expect((await owner.patch(`/proxies/${id}`, { notes: 'n' }, headers)).statusCode).toBe(412)
    expect((await owner.delete(`/proxies/${id}`, headers)).statusCode).toBe(412)
    expect((await owner.get(`/proxies/${id}`)).json().version).toBe(1)
  })
})

test('a proxy in use is not deleted, and the reply names what uses it', async () => {
  const { owner } = await world.organization()
  const { id } = await created(owner)
  const profile = (await owner.post('/profiles', { name: 'Acme', proxy_id: id })).json()
  const refused = await owner.delete(`/proxies/${id}`)
  expect(refused.statusCode).toBe(409)
  expect(refused.json()).toMatchObject({
    code: 'resource_in_use',
    detail: 'It is in use: 1 profile refers to it.',
    references: [{ type: 'profile', id: profile.id, name: 'Acme' }],
    reference_count: 1,
  })
  await owner.patch(`/profiles/${profile.id}`, { proxy_id: null })
  expect((await owner.delete(`/proxies/${id}`)).statusCode).toBe(204)
  expect((await owner.delete(`/proxies/${id}`)).statusCode).toBe(404)
})

test('lists are filtered by protocol, status, country and label', async () => {
  const { owner } = await world.organization()
  await created(owner, { name: 'a', country: 'DE', labels: ['x'] })
  await created(owner, { name: 'b', protocol: 'socks5', enabled: false })
  const names = async (query: string) =>
    (await owner.get(`/proxies?sort=name&${query}`))
      .json()
      .data.map((each: { name: string }) => each.name)
  expect(await names('protocol=socks5')).toEqual(['b'])
  expect(await names('status=disabled')).toEqual(['b'])
  expect(await names('status=unchecked,disabled')).toEqual(['a', 'b'])
  expect(await names('country=DE')).toEqual(['a'])
  expect(await names('label=x')).toEqual(['a'])
  expect((await owner.get('/proxies?status=well')).statusCode).toBe(400)
})

test('a viewer sees no user name, an auditor no proxy, and only admins write', async () => {
  const organization = await world.organization()
  const { id } = await created(organization.owner, secrets)
  const [editor, viewer] = [await organization.as('editor'), await organization.as('viewer')]
  const auditor = await organization.as('auditor')
  expect((await editor.get(`/proxies/${id}`)).json().username).toBe(secrets.username)
  expect((await viewer.get(`/proxies/${id}`)).json()).toMatchObject({
    username: null,
    has_password: true,
  })
  expect((await viewer.get('/proxies')).json().data[0].username).toBeNull()
  expect((await auditor.get('/proxies')).statusCode).toBe(403)
  expect((await editor.patch(`/proxies/${id}`, { notes: 'n' })).statusCode).toBe(403)
  expect((await editor.post('/proxies', target)).statusCode).toBe(403)
})

test('another organization finds nothing, as if it did not exist', async () => {
  const [{ owner }, stranger] = [await world.organization(), await world.organization()]
  const { id } = await created(owner, secrets)
  const replies = [
    await stranger.owner.get(`/proxies/${id}`),
    await stranger.owner.patch(`/proxies/${id}`, { notes: 'n' }),
    await stranger.owner.post(`/proxies/${id}/credentials`),
    await stranger.owner.delete(`/proxies/${id}`),
  ]
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404])
})

test('a dry run of a deletion shows the whole proxy', async () => {
  const { owner } = await world.organization()
  const { id } = await created(owner, secrets)
  const shown = (await owner.get(`/proxies/${id}`)).json()
  expect(shown.username).toBe(secrets.username)
  const trial = await owner.delete(`/proxies/${id}?validate_only=true`)
  expect(trial.json()).toEqual({ ...shown, warnings: [] })
  await owner.delete(`/proxies/${id}`)
  const [record] = (await owner.get('/audit_logs?action=proxy.deleted')).json().data
  expect(JSON.stringify(record)).not.toContain(secrets.username)
})
