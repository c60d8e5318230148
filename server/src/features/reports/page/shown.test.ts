import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { report } from '../../../../test/support/cases/results.ts'
import { campaignBody, made, profileOf } from '../../../../test/support/cases/writes.ts'
import { scopedMember } from '../../../../test/support/scoped.ts'
import { faultsOf, openWorld, type Reply, type World } from '../../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.alloc(20),
]).toString('base64')

const htmlOf = (reply: Reply): string => reply.json().html

/** A report with a logo, of a client whose name is markup. */
async function reportIn() {
  const organization = await world.organization()
  const { owner } = organization
  const client_id = await made(owner, '/clients', { name: '<b>Northwind</b>' })
  const body = { name: 'Monthly', client_id, period: 'last_month', logo: png }
  const id = await made(owner, '/reports', body)
  return { organization, owner, client_id, id, path: `/reports/${id}` }
}

describe('the page of a report', () => {
  test('is the one that its links open', async () => {
    const { owner, path } = await reportIn()
    const page = await owner.get(`${path}/page`)
    expect(page.statusCode).toBe(200)
    expect(htmlOf(page)).toContain('&lt;b&gt;Northwind&lt;/b&gt;')
    expect(htmlOf(page)).toContain(`src="data:image/png;base64,${png}"`)
    const expires_at = new Date(world.clock.now().getTime() + 86_400_000).toISOString()
    const { url } = (await owner.post(`${path}/links`, { expires_at })).json()
    const opened = await world.app.inject({ method: 'GET', url: new URL(url).pathname })
    expect(opened.body).toBe(htmlOf(page))
  })

  test('of a snapshot is the report as it was, and its file has the same figures', async () => {
    const { owner, path } = await reportIn()
    const snapshot = await made(owner, `${path}/snapshots`, {})
    await owner.patch(path, { name: 'Another' })
    const page = await owner.get(`${path}/snapshots/${snapshot}/page`)
    expect(htmlOf(page)).toContain('<h1>Monthly</h1>')
    const file = await owner.get(`${path}/snapshots/${snapshot}?format=csv`)
    expect(file.headers['content-type']).toMatch(/^text\/csv/)
    const other = await reportIn()
    expect((await owner.get(`${other.path}/snapshots/${snapshot}/page`)).statusCode).toBe(404)
  })
})

test('the page spells platforms as they do themselves', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const client_id = await made(owner, '/clients', { name: 'Northwind' })
  const day = world.clock.now().toISOString().slice(0, 10)
  const rows: object[] = []
  for (const platform of ['google_ads', 'tiktok']) {
    const profile = await profileOf(organization, { platform, client_id, name: platform })
    const campaign_id = await made(owner, '/campaigns', campaignBody(profile))
    rows.push({ campaign_id, date: day, spend: 5 })
  }
  await report(owner, { rows })
  const body = { name: 'Monthly', client_id, period: 'this_month', sections: ['by_platform'] }
  const id = await made(owner, '/reports', body)
  const page = htmlOf(await owner.get(`/reports/${id}/page`))
  expect(page).toContain('Google Ads')
  expect(page).toContain('TikTok')
})

describe('a snapshot', () => {
  test('is deleted once no link shows it', async () => {
    const { owner, path } = await reportIn()
    const snapshot_id = await made(owner, `${path}/snapshots`, {})
    const expires_at = new Date(world.clock.now().getTime() + 86_400_000).toISOString()
    const link = await made(owner, `${path}/links`, { expires_at, snapshot_id })
    const refusal = (await owner.delete(`${path}/snapshots/${snapshot_id}`)).json()
    expect(refusal).toMatchObject({
      code: 'resource_in_use',
      references: [{ type: 'report_link', id: link, name: 'Monthly' }],
    })
    await owner.delete(`${path}/links/${link}`)
    const other = await reportIn()
    expect((await owner.delete(`${other.path}/snapshots/${snapshot_id}`)).statusCode).toBe(404)
    expect((await owner.delete(`${path}/snapshots/${snapshot_id}`)).statusCode).toBe(204)
    expect((await owner.get(`${path}/snapshots`)).json().data).toEqual([])
  })
})

describe('a preview', () => {
  test('has the changes, keeps nothing, and shows the stored logo or the one that is sent', async () => {
    const { owner, path } = await reportIn()
    const changes = { name: '<i>New</i>', sections: ['notes'], texts: { notes: '- one' } }
    const body = htmlOf(await owner.post(`${path}/preview`, changes))
    expect(body).toContain('<h1>&lt;i&gt;New&lt;/i&gt;</h1>')
    expect(body).toContain('<ul><li>one</li></ul>')
    expect(body).not.toContain('Summary')
    expect(body).toContain(png)
    const bare = await owner.post(`${path}/preview`, { logo: null })
    expect(htmlOf(bare)).not.toContain('<img')
    const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0]).toString('base64')
    const other = await owner.post(`${path}/preview`, { logo: jpeg })
    expect(htmlOf(other)).toContain(`src="data:image/jpeg;base64,${jpeg}"`)
    expect((await owner.get(path)).json()).toMatchObject({ name: 'Monthly', version: 1 })
  })

  test('names every fault as a change does', async () => {
    const { owner, path } = await reportIn()
    const reply = await owner.post(`${path}/preview`, { period: 'never', logo: 'R0lGODlh' })
    expect(faultsOf(reply)).toEqual(['/period invalid_enum_value', '/logo invalid_format'])
  })

  test('of what a holder of a scope could not store is refused', async () => {
    const { organization, owner, client_id, path } = await reportIn()
    const other = await made(owner, '/clients', { name: 'Other' })
    const editor = await scopedMember(organization, 'editor', { client_ids: [client_id] })
    expect((await editor.post(`${path}/preview`, { name: 'Mine' })).statusCode).toBe(200)
    const all = await editor.post(`${path}/preview`, { client_id: null })
    expect(all.json().code).toBe('out_of_scope')
    const foreign = await editor.post(`${path}/preview`, { client_id: other })
    expect(faultsOf(foreign)).toEqual(['/client_id invalid_reference'])
  })
})
