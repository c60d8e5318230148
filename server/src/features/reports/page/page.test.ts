import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { report } from '../../../../test/support/cases/results.ts'
import { campaignBody, made, profileOf } from '../../../../test/support/cases/writes.ts'
import {
  faultsOf,
  openWorld,
  type Reply,
  unlimited,
  type World,
} from '../../../../test/support/world.ts'

let world: World
const publicUrl = 'https://reports.example.com'

beforeAll(async () => {
  const env = { FLIGHTDECK_PUBLIC_URL: publicUrl, FLIGHTDECK_TRUSTED_PROXIES: '127.0.0.1' }
  world = await openWorld({ env: { ...unlimited, ...env } })
})
afterAll(() => world.close())

let addresses = 0
const anyAddress = (): string => {
  addresses += 1
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}

type Opening = { from?: string; password?: string; method?: 'GET' | 'HEAD' | 'POST' }

const open = (url: string, { from = anyAddress(), password, method }: Opening = {}) =>
  world.app.inject({
    method: method ?? (password === undefined ? 'GET' : 'POST'),
    url: new URL(url).pathname,
    headers: {
      host: 'evil.example',
      'x-forwarded-for': from,
      ...(password !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(password !== undefined && { payload: new URLSearchParams({ password }).toString() }),
  })

const ahead = (days: number) =>
  new Date(world.clock.now().getTime() + days * 86_400_000).toISOString()

const enemy = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>'

/** A report full of texts of an enemy. */
async function shared(fields: object = {}) {
  const organization = await world.organization()
  const { owner } = organization
  const client_id = await made(owner, '/clients', { name: `C ${enemy}` })
  const profile = await profileOf(organization, { name: `P ${enemy}`, client_id, currency: null })
  const other = await profileOf(organization, { name: 'Contoso', client: 'Contoso' })
  const rows: object[] = []
  for (const [at, id] of [profile, other].entries()) {
    const body = { ...campaignBody(id), name: `K${at} ${enemy}`, labels: [enemy] }
    const campaign_id = await made(owner, '/campaigns', body)
    await owner.post(`/campaigns/${campaign_id}/launch`, { reason: `R ${enemy}` })
    rows.push({ campaign_id, date: ahead(-1).slice(0, 10), spend: 12.5, clicks: 3 })
  }
  await report(owner, { rows })
  const texts = { headline: enemy, why: `- ${enemy}`, next: enemy, notes: `${enemy}\n\n- ${enemy}` }
  const period = { from: ahead(-5).slice(0, 10), to: ahead(1).slice(0, 10) }
  const body = { name: `N ${enemy}`, client_id, period, texts, compare: 'previous_period' }
  const id = await made(owner, '/reports', body)
  const reply = await owner.post(`/reports/${id}/links`, { expires_at: ahead(9), ...fields })
  expect([reply.statusCode, reply.body]).toEqual([201, reply.body])
  return { owner, organization, id, link: reply.json(), url: String(reply.json().url) }
}

const essence = ({ statusCode, headers, body }: Reply) => {
  const { date: _, 'x-request-id': __, ...kept } = headers
  return { statusCode, kept, body }
}

describe('a link', () => {
  test('shows its report, its texts escaped, and nothing of others or of the inside', async () => {
    const { url, organization } = await shared()
    expect(url).toMatch(/^https:\/\/reports\.example\.com\/r\/[\w-]{43}$/)
    const page = await open(url)
    expect(page.statusCode).toBe(200)
    for (const part of ['N', 'C', 'P', 'K0', 'R']) {
      expect(page.body).toContain(`${part} &lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;`)
    }
    expect(page.body).not.toMatch(/<script|<img src=x|Contoso|K1/)
    expect(page.body).not.toMatch(/\b(cmp|prf|cli|rpt|rpl|org|usr|evt)_[0-9a-z]{26}/)
    for (const person of [organization.owner.email, 'owner user']) {
      expect(page.body).not.toContain(person)
    }
    expect(page.body).toContain('<svg')
    expect(page.body).toContain('provisional')
  })

  test('answers with headers that keep it out of caches, indexes and other pages', async () => {
    const { url } = await shared()
    const { headers } = await open(url)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-frame-options': 'DENY',
    })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(headers['content-security-policy']).not.toMatch(/script|unsafe/)
    expect(headers['set-cookie']).toBeUndefined()
  })

  test('that is guessed, over, ended, or of a deleted report has one and the same page', async () => {
    const guessed = essence(await open(`${publicUrl}/r/${'A'.repeat(43)}`))
    expect(guessed).toMatchObject({
      statusCode: 404,
      body: expect.stringContaining('not available'),
    })
    expect(essence(await open(`${publicUrl}/r/x`))).toEqual(guessed)
    const ended = await shared()
    expect((await open(ended.url)).statusCode).toBe(200)
    const path = `/reports/${ended.id}/links/${ended.link.id}`
    expect((await ended.owner.delete(path)).statusCode).toBe(204)
    expect((await ended.owner.delete(path)).statusCode).toBe(404)
    expect(essence(await open(ended.url))).toEqual(guessed)
    const deleted = await shared({ password: 'a long secret' })
    await deleted.owner.delete(`/reports/${deleted.id}`)
    expect(essence(await open(deleted.url))).toEqual(guessed)
    const over = await shared({ expires_at: ahead(1) })
    world.clock.advance(25 * 3_600_000)
    expect(essence(await open(over.url))).toEqual(guessed)
  })

  test('opened 10,000 times counts each view, and from one address 60 a minute', async () => {
    const { owner, id, url, link } = await shared()
    const frozen = await made(owner, `/reports/${id}/snapshots`, {})
    const body = { expires_at: ahead(9), snapshot_id: frozen }
    const second = (await owner.post(`/reports/${id}/links`, body)).json()
    for (let round = 0; round < 100; round += 1) {
      await Promise.all(Array.from({ length: 100 }, () => open(second.url)))
    }
    const statuses: number[] = []
    for (let count = 0; count < 62; count += 1) {
      statuses.push((await open(url, { from: '192.0.2.7' })).statusCode)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(60)
    const refused = await open(url, { from: '192.0.2.7' })
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    await open(url, { method: 'HEAD' })
    const { data } = (await owner.get(`/reports/${id}/links`)).json()
    const viewsOf = (id: string) => data.find((each: { id: string }) => each.id === id).views
    expect([viewsOf(second.id), viewsOf(link.id)]).toEqual([10_000, 60])
    expect(JSON.stringify(data)).not.toContain(url.split('/').at(-1))
  }, 300_000)

  test('with a password asks for it, and slows wrong ones', async () => {
    const { url, owner, id } = await shared({ password: 'a long secret' })
    const form = await open(url)
    expect(form.body).toContain('type="password"')
    expect(form.body).not.toContain('alert(1)')
    const from = anyAddress()
    expect((await open(url, { from, password: 'wrong' })).statusCode).toBe(403)
    expect((await open(url, { password: 'a long secret' })).body).toContain('alert(1)')
    const wrong = []
    for (let count = 0; count < 12; count += 1) {
      wrong.push((await open(url, { from, password: `wrong ${count}` })).statusCode)
    }
    expect(wrong).toContain(429)
    expect((await owner.get(`/reports/${id}/links`)).json().data[0].views).toBe(1)
  })

  test('to a snapshot shows the report as it was', async () => {
    const { owner, id } = await shared()
    const snapshot_id = await made(owner, `/reports/${id}/snapshots`, {})
    const body = { expires_at: ahead(9), snapshot_id }
    const { url } = (await owner.post(`/reports/${id}/links`, body)).json()
    await owner.patch(`/reports/${id}`, { name: 'Another name' })
    expect((await open(url)).body).not.toContain('Another name')
    const frozen = (await owner.get(`/reports/${id}/snapshots/${snapshot_id}`)).json()
    expect(frozen.report.name).toBe(`N ${enemy}`)
    expect((await owner.get(`/reports/${id}/snapshots`)).json().data).toHaveLength(1)
  })

  test('is refused beyond a year, in the past, and to a snapshot of another report', async () => {
    const { owner, id } = await shared()
    const other = await made(owner, '/reports', { name: 'O', period: 'today' })
    const snapshot_id = await made(owner, `/reports/${other}/snapshots`, {})
    const faults = async (body: object) => faultsOf(await owner.post(`/reports/${id}/links`, body))
    expect(await faults({ expires_at: ahead(367) })).toEqual(['/expires_at out_of_range'])
    expect(await faults({ expires_at: ahead(-1) })).toEqual(['/expires_at date_in_past'])
    expect(await faults({ expires_at: ahead(1), snapshot_id })).toEqual([
      '/snapshot_id invalid_reference',
    ])
    expect(await faults({ expires_at: ahead(1), password: 'short' })).toEqual([
      '/password too_short',
    ])
  })

  test('repeated with its key does not show its address again', async () => {
    const { owner, id } = await shared()
    const headers = { 'idempotency-key': 'once' }
    const payload = { expires_at: ahead(5) }
    const call = () => owner.call({ method: 'POST', url: `/reports/${id}/links`, headers, payload })
    const [first, again] = [(await call()).json(), (await call()).json()]
    expect(again).toEqual({ ...first, url: null })
  })
})
