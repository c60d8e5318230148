import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { domainOfTest, ssoBody } from '../../../test/support/cases/people/sso-cases.ts'
import { guard } from '../../../test/support/clients/second-factor.ts'
import { txtRecords } from '../../../test/support/clients/txt-records.ts'
import { nameServer } from '../../../test/support/machines/name-server.ts'
import {
  faultsOf,
  openWorld,
  type Reply,
  unlimited,
  type World,
} from '../../../test/support/world.ts'
import { askTexts } from '../../egress/resolver.ts'
import { trustDomain } from './domains.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
})
afterAll(() => world.close())

const path = '/organization/sso'
const codeOf = (reply: Reply) => [reply.statusCode, reply.json().code]

async function setUp(more: object = {}) {
  const organization = await world.organization()
  const { owner } = organization
  const domain = domainOfTest(organization)
  const reply = await owner.put(path, { ...ssoBody(domain), ...more })
  expect([reply.statusCode, reply.body]).toEqual([201, expect.any(String)])
  return { organization, owner, domain, sso: reply.json() }
}

const verify = (owner: { post: World['anonymous']['post'] }, domain: string) =>
  owner.post(`${path}/domains/${domain}/verify`)

describe('single sign-on', () => {
  test('is not there until an owner sets it up, and its secret is never shown', async () => {
    const { owner, as } = await world.organization()
    expect(codeOf(await owner.get(path))).toEqual([404, 'not_found'])
    const body = ssoBody('acme.example')
    for (const role of ['admin', 'editor', 'viewer', 'auditor'] as const) {
      const client = await as(role)
      expect(codeOf(await client.get(path))).toEqual([403, 'insufficient_role'])
      expect(codeOf(await client.put(path, body))).toEqual([403, 'insufficient_role'])
    }
    const made = await owner.put(path, body)
    expect([made.statusCode, made.headers.etag]).toEqual([201, '"1"'])
    expect(made.json()).toMatchObject({
      issuer: 'https://login.acme.example',
      client_id: 'flightdeck',
      domains: ['acme.example'],
      domain_proofs: [
        {
          txt_record: expect.stringMatching(/^flightdeck-verification=[0-9a-f]{32}$/),
          proved_at: null,
        },
      ],
      default_role: 'viewer',
      role_claim: null,
      role_map: {},
      create_members: true,
      trust_email: false,
      enforced: false,
      redirect_uri: expect.stringMatching(/\/api\/v1\/auth\/sso\/callback$/),
      version: 1,
    })
    const shown = [
      made,
      await owner.get(path),
      await owner.get('/audit_logs'),
      await owner.get('/events'),
    ]
    for (const { body: text } of shown) expect(text).not.toContain(body.client_secret)
    expect(JSON.stringify(world.logged)).not.toContain(body.client_secret)
    const { data } = (await owner.get('/audit_logs?action=organization.sso_updated')).json()
    expect(data[0].changes).toContainEqual({
      field: 'client_secret',
      before: null,
      after: '[redacted]',
    })
    expect(data).toMatchObject([{ outcome: 'success' }, ...Array(4).fill({ outcome: 'denied' })])
  })

  test('is changed by field, sent back unchanged, and deleted with all of it', async () => {
    const { owner, organization, sso } = await setUp()
    const same = await owner.put(path, sso)
    expect([same.statusCode, same.json()]).toEqual([200, sso])
    const changed = await owner.put(path, { role_claim: 'groups', role_map: { Leads: 'admin' } })
    expect(changed.json()).toMatchObject({ role_claim: 'groups', version: 2, domains: sso.domains })
    const late = await owner.put(path, { default_role: 'editor' }, { 'if-match': '"1"' })
    expect(codeOf(late)).toEqual([412, 'version_mismatch'])
    expect(faultsOf(await owner.put(path, { redirect_uri: 'https://evil.example' }))).toEqual([
      '/redirect_uri read_only_field',
    ])
    await trustDomain(organization.ctx, domainOfTest(organization))
    expect((await owner.delete(path)).statusCode).toBe(204)
    expect((await owner.delete(path)).statusCode).toBe(404)
    const other = await world.organization()
    await trustDomain(other.ctx, domainOfTest(organization))
  })

  test('needs what it cannot do without, and takes no owner’s role, address inside or foreign secret', async () => {
    const { owner } = await world.organization()
    expect(faultsOf(await owner.put(path, {})).sort()).toEqual([
      '/client_id required',
      '/client_secret required',
      '/issuer required',
    ])
    const put = (more: object) => owner.put(path, { ...ssoBody('acme.example'), ...more })
    const faulty: readonly [object, string][] = [
      [{ default_role: 'owner' }, '/default_role invalid_enum_value'],
      [{ role_map: { Leads: 'owner' } }, '/role_map/Leads invalid_enum_value'],
      [{ issuer: 'http://login.acme.example' }, '/issuer invalid_format'],
      [{ issuer: 'https://user:pass@login.acme.example' }, '/issuer invalid_format'],
      [{ issuer: 'https://login.acme.example?tenant=1' }, '/issuer invalid_format'],
      [{ issuer: 'https://127.0.0.1' }, '/issuer forbidden_host'],
      [{ issuer: 'https://[::ffff:10.0.0.1]' }, '/issuer forbidden_host'],
      [{ issuer: 'https://169.254.169.254' }, '/issuer forbidden_host'],
      [{ issuer: 'https://localhost' }, '/issuer forbidden_host'],
      [{ domains: ['example'] }, '/domains/0 invalid_format'],
      [{ domains: ['192.0.2.1'] }, '/domains/0 invalid_format'],
      [{ domains: ['a.example', 'A.example'] }, '/domains/1 duplicate_item'],
      [{ domains: ['a.example/x'] }, '/domains/0 invalid_format'],
    ]
    for (const [more, fault] of faulty)
      expect([more, faultsOf(await put(more))]).toEqual([more, [fault]])
    expect((await put({ domains: ['Bücher.example'] })).json().domains).toEqual([
      'xn--bcher-kva.example',
    ])
    expect(faultsOf(await owner.put(path, { issuer: 'https://other.example' }))).toEqual([
      '/client_secret required',
    ])
  })

  test('is enforced only with an owner who has a way back in', async () => {
    const { owner, organization } = await setUp()
    const enforce = () => owner.put(path, { enforced: true })
    expect(codeOf(await enforce())).toEqual([409, 'owner_without_factor'])
    await guard(world, owner)
    expect((await enforce()).json()).toMatchObject({ enforced: true })
    world.clock.advance(16 * 60_000)
    expect(codeOf(await owner.put(path, { enforced: false }))).toEqual([
      403,
      'recent_login_required',
    ])
    expect(codeOf(await owner.delete(path))).toEqual([403, 'recent_login_required'])
    expect(organization.id).toBeTruthy()
  })
})

describe('a domain', () => {
  test('is proved by its TXT record, once, and the organization hears of it', async () => {
    const { owner, domain, sso } = await setUp()
    const [{ txt_record: record }] = sso.domain_proofs
    expect(codeOf(await verify(owner, domain))).toEqual([409, 'domain_not_proved'])
    txtRecords.set(domain, ['v=spf1 -all', `x${record}`])
    expect(codeOf(await verify(owner, domain))).toEqual([409, 'domain_not_proved'])
    txtRecords.set(domain, ['v=spf1 -all', record])
    const proved = (await verify(owner, domain)).json()
    expect(proved).toMatchObject({
      version: 2,
      domain_proofs: [{ domain, proved_at: expect.any(String), proved_by: 'dns' }],
    })
    expect((await owner.get(path)).json()).toEqual({ ...proved, updated_by_name: 'Olga Owner' })
    expect((await verify(owner, domain)).json()).toEqual(proved)
    const { data } = (await owner.get('/events?type=organization.sso_domain_proved')).json()
    expect(data).toMatchObject([{ data: { object: { domain, proved_by: 'dns' }, previous: null } }])
    expect(codeOf(await verify(owner, 'unlisted.example'))).toEqual([404, 'not_found'])
  })

  test('belongs to one organization, until that lets it go', async () => {
    const first = await setUp()
    const second = await world.organization()
    const { domain } = first
    const made = (await second.owner.put(path, ssoBody(domain))).json()
    // The token of one organization proves nothing for another.
    txtRecords.set(domain, [first.sso.domain_proofs[0].txt_record])
    expect(codeOf(await verify(second.owner, domain))).toEqual([409, 'domain_not_proved'])
    expect((await verify(first.owner, domain)).statusCode).toBe(200)
    txtRecords.set(domain, [made.domain_proofs[0].txt_record])
    expect(codeOf(await verify(second.owner, domain))).toEqual([409, 'domain_taken'])
    await expect(trustDomain(second.ctx, domain)).rejects.toMatchObject({ code: 'domain_taken' })
    await first.owner.put(path, { domains: [] })
    expect((await verify(second.owner, domain)).statusCode).toBe(200)
    const again = (await first.owner.put(path, { domains: [domain] })).json()
    expect(again.domain_proofs[0].proved_at).toBeNull()
  })

  test('of two who prove it at once is one’s', async () => {
    const both = [await setUp(), await setUp()]
    const domain = `race-${both[0]?.domain}`
    const records = []
    for (const { owner } of both) {
      const { domain_proofs: proofs } = (await owner.put(path, { domains: [domain] })).json()
      records.push(proofs[0].txt_record)
    }
    txtRecords.set(domain, records)
    const replies = await Promise.all(both.map(({ owner }) => verify(owner, domain)))
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })

  test('is the organization’s on the operator’s word, before or after it is listed', async () => {
    const organization = await world.organization()
    const domain = domainOfTest(organization)
    expect(await trustDomain(organization.ctx, domain)).toMatchObject({ proved_by: 'operator' })
    const { domain_proofs: proofs } = (await organization.owner.put(path, ssoBody(domain))).json()
    expect(proofs).toMatchObject([{ domain, proved_by: 'operator' }])
  })
})

test('TXT records are read from the name servers as whole texts', async () => {
  const long = `flightdeck-verification=${'x'.repeat(60)}`
  const server = await nameServer((name) => (name === 'acme.example' ? [long, 'other'] : []))
  try {
    expect(await askTexts([server.address])('acme.example')).toEqual([long, 'other'])
    await expect(askTexts([server.address])('none.example')).rejects.toThrow()
  } finally {
    server.close()
  }
})
