import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { made, profileOf } from '../../../test/support/cases/writes.ts'
import { scopedMember } from '../../../test/support/scoped.ts'
import { type Client, faultsOf, openWorld, type World } from '../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ env: { FLIGHTDECK_CAPS: 'reports=5' } })
})
afterAll(() => world.close())

const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.alloc(20),
]).toString('base64')
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]).toString('base64')

const body = { name: 'Monthly', period: 'last_month' }
const created = async (client: Client, fields: object = {}) =>
  (await client.post('/reports', { ...body, ...fields })).json()

describe('creating', () => {
  test('a name and a period are enough', async () => {
    const organization = await world.organization()
    const editor = await organization.as('editor')
    const reply = await editor.post('/reports', body)
    expect(reply.statusCode).toBe(201)
    expect(reply.json()).toMatchObject({
      ...body,
      client_id: null,
      filter: null,
      compare: null,
      texts: { headline: null, why: null, next: null, notes: null },
      logo_type: null,
      version: 1,
    })
    expect(reply.json().sections).toHaveLength(11)
    expect(reply.json().sections[0]).toBe('headline')
    expect((await editor.get(`/reports/${reply.json().id}`)).json()).toEqual(reply.json())
    expect((await editor.get('/reports?q=month')).json().data).toEqual([reply.json()])
  })

  test('a report of a client has what was sent, but never its logo', async () => {
    const { owner } = await world.organization()
    const client_id = await made(owner, '/clients', { name: 'Northwind' })
    const sent = {
      ...{ name: 'Q4', client_id, period: { from: '2026-10-01', to: '2027-01-01' } },
      ...{ compare: 'previous_year', sections: ['notes', 'daily'], texts: { notes: '- a\n- b' } },
    }
    const reply = await owner.post('/reports', { ...sent, logo: png })
    expect(reply.json()).toMatchObject({
      ...sent,
      texts: { headline: null, why: null, next: null, notes: '- a\n- b' },
      logo_type: 'image/png',
      logo_bytes: 28,
    })
    expect(reply.body).not.toContain(png)
    const [record] = (await owner.get('/audit_logs?action=report.created')).json().data
    expect(record.changes).toContainEqual({ field: 'logo', before: null, after: '[redacted]' })
    expect((await owner.get(`/reports?client_id=${client_id}`)).json().data).toHaveLength(1)
  })

  test('every fault is reported at once', async () => {
    const { owner } = await world.organization()
    const stranger = await made((await world.organization()).owner, '/clients', { name: 'X' })
    const reply = await owner.post('/reports', {
      ...{ client_id: stranger, period: { from: '2026-02-30', to: '2026-02-01' } },
      ...{ filter: { currency: ['XXX'], client_id: ['cli_x'], profile_id: [] } },
      ...{ sections: ['daily', 'daily'], texts: { notes: 'x'.repeat(10_001), more: 'x' } },
      ...{ compare: 'never', logo: 'not base64', owner: 'me' },
    })
    expect(reply.statusCode).toBe(422)
    expect(faultsOf(reply).sort()).toEqual([
      '/client_id invalid_reference',
      '/compare invalid_enum_value',
      '/filter/client_id/0 invalid_reference',
      '/filter/currency/0 unsupported_currency',
      '/filter/profile_id too_short',
      '/logo invalid_format',
      '/name required',
      '/owner unknown_field',
      '/period/from invalid_format',
      '/sections/1 duplicate_item',
      '/texts/more unknown_field',
      '/texts/notes too_long',
    ])
  })

  test.each([
    ['no period', { period: 'last_decade' }, '/period invalid_enum_value'],
    ['empty', { period: { from: '2026-02-01', to: '2026-02-01' } }, '/period/to end_before_start'],
    ['too long', { period: { from: '2026-02-01', to: '2027-04-01' } }, '/period/to out_of_range'],
    ['far', { period: { from: '1969-12-01', to: '1970-02-01' } }, '/period/from out_of_range'],
    ['open', { period: { from: '2026-01-01' } }, '/period/to required'],
    ['two subjects', { filter: { platform: ['meta'] } }, '/filter duplicate_item'],
    ['a GIF', { logo: Buffer.from('GIF89a').toString('base64') }, '/logo invalid_format'],
    ['an SVG', { logo: Buffer.from('<svg/>').toString('base64') }, '/logo invalid_format'],
    ['large', { logo: largeLogo(200_001) }, '/logo too_long'],
    ['no section', { sections: [] }, '/sections too_short'],
  ])('refuses %s', async (_, fields, ...faults) => {
    const { owner } = await world.organization()
    const client_id = await made(owner, '/clients', { name: 'Northwind' })
    expect(faultsOf(await owner.post('/reports', { ...body, client_id, ...fields }))).toEqual(
      [faults].flat(),
    )
  })

  test('takes the largest logo, a JPEG too, and refuses what is beyond the cap', async () => {
    const { owner } = await world.organization()
    const largest = await owner.post('/reports', { ...body, logo: largeLogo(200_000) })
    expect(largest.json()).toMatchObject({ logo_type: 'image/png', logo_bytes: 200_000 })
    expect(await created(owner, { logo: jpeg })).toMatchObject({ logo_type: 'image/jpeg' })
    for (let count = 2; count < 5; count += 1) await created(owner)
    expect((await owner.post('/reports', body)).json().code).toBe('limit_exceeded')
  })
})

function largeLogo(bytes: number): string {
  const logo = Buffer.alloc(bytes)
  Buffer.from(png, 'base64').copy(logo)
  return logo.toString('base64')
}

describe('changing', () => {
  test('a field that is left out stays, null clears, and the same again is no change', async () => {
    const { owner } = await world.organization()
    const client_id = await made(owner, '/clients', { name: 'Northwind' })
    const { id } = await created(owner, { client_id, compare: 'previous_year', logo: png })
    const path = `/reports/${id}`
    const changed = await owner.patch(path, { client_id: null, filter: { label: ['a,b'] } })
    expect(changed.json()).toMatchObject({
      ...{ client_id: null, filter: { label: ['a,b'] }, compare: 'previous_year', version: 2 },
      logo_type: 'image/png',
    })
    expect((await owner.patch(path, { filter: { label: ['a,b'] } })).json().version).toBe(2)
    expect((await owner.patch(path, { logo: null })).json()).toMatchObject({
      ...{ logo_type: null, logo_bytes: null, version: 3 },
    })
    expect((await owner.patch(path, { logo: null })).json().version).toBe(3)
    expect((await owner.patch(path, changed.json())).statusCode).toBe(422)
  })

  test('a merge patch changes one text, and keeps the others', async () => {
    const { owner } = await world.organization()
    const { id } = await created(owner, { texts: { why: 'a', notes: 'b' } })
    const headers = { 'content-type': 'application/merge-patch+json' }
    const payload = JSON.stringify({ texts: { notes: null, next: 'c' } })
    const reply = await owner.call({ method: 'PATCH', url: `/reports/${id}`, headers, payload })
    expect(reply.json().texts).toEqual({ headline: null, why: 'a', next: 'c', notes: null })
  })
})

describe('a client with a report', () => {
  test('cannot be deleted before it', async () => {
    const { owner } = await world.organization()
    const client_id = await made(owner, '/clients', { name: 'Northwind' })
    const { id, name } = await created(owner, { client_id })
    const refusal = (await owner.delete(`/clients/${client_id}`)).json()
    expect(refusal.references).toEqual([{ type: 'report', id, name }])
    expect((await owner.delete(`/reports/${id}`)).statusCode).toBe(204)
    expect((await owner.get(`/reports/${id}`)).statusCode).toBe(404)
    expect((await owner.delete(`/clients/${client_id}`)).statusCode).toBe(204)
  })
})

describe('holders of a scope', () => {
  test('see and make reports of clients that are wholly in it, and no others', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const mine = await made(owner, '/clients', { name: 'Mine' })
    const other = await made(owner, '/clients', { name: 'Other' })
    const profile = await profileOf(organization, { name: 'One', client_id: mine })
    await profileOf(organization, { name: 'Two', client_id: mine })
    const own = await created(owner, { client_id: mine })
    await created(owner, { client_id: other })
    await created(owner, { filter: { client_id: [mine, other] } })
    await created(owner)
    const editor = await scopedMember(organization, 'editor', { client_ids: [mine] })
    const { data } = (await editor.get('/reports?include_total=true')).json()
    expect(data.map((each: { id: string }) => each.id)).toEqual([own.id])
    const foreign = await editor.post('/reports', { ...body, client_id: other })
    expect(faultsOf(foreign)).toEqual(['/client_id invalid_reference'])
    expect((await editor.post('/reports', body)).json().code).toBe('out_of_scope')
    const narrow = await created(editor, { filter: { client_id: [mine], platform: ['meta'] } })
    expect((await editor.patch(`/reports/${narrow.id}`, { filter: null })).json().code).toBe(
      'out_of_scope',
    )
    const part = await scopedMember(organization, 'editor', { profile_ids: [profile] })
    expect((await part.get(`/reports/${own.id}`)).statusCode).toBe(404)
    expect((await part.get('/reports')).json().data).toEqual([])
  })
})
