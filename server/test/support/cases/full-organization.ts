import { madeKey } from '../api-keys.ts'
import { auditChainIn } from '../audit-chain.ts'
import { giveMail, scheduleBody } from '../client-cases.ts'
import { endpointOf, recordAttempts, rowsOf } from '../deliveries.ts'
import type { TestOrganization, World } from '../world.ts'
import { notifyNow } from './people/notification-cases.ts'
import { ssoBody } from './people/sso-cases.ts'
import { plainCreations } from './write-cases.ts'
import { campaignAfter, made } from './writes.ts'

/** Text with characters that table formats must escape. */
const awkward = 'tab\tnew\nline\r\\N \\. "quoted", é 🚀 \u{7f}'

/** An organization with rows in every table that belongs to one. */
export async function fullOrganization(world: World): Promise<TestOrganization> {
  const acme = await world.organization({ name: 'Acme' })
  const endpoint = await endpointOf(acme, { metadata: { note: awkward } })
  await made(acme.owner, '/proxies', {
    ...{
      protocol: 'http',
      host: 'a.test',
      port: 8081,
      username: 'ann',
      password: 'hush',
      notes: awkward,
    },
  })
  await campaignAfter(acme, ['launch'], { notes: awkward, labels: ['a,b', '{}', 'NULL'] })
  const draft = await campaignAfter(acme, [], { name: 'Draft' })
  await acme.owner.put(`/campaigns/${draft}/deployment`, { mode: 'link', network_object_id: '218' })
  const reported_at = world.clock.now().toISOString()
  const row = { campaign_id: draft, date: reported_at.slice(0, 10), spend: 12.5, clicks: null }
  await acme.owner.post('/results', { source: 'google_ads', reported_at, rows: [row] })
  const operations = [{ op: 'update', id: draft, body: { notes: awkward } }]
  await made(acme.owner, '/change_sets', { title: 'Later', operations })
  await made(acme.owner, '/templates', { name: awkward.replaceAll(/[\t\n\r\u{7f}]/gu, '') })
  await madeKey(world, acme.owner)
  await acme.owner.put('/organization/guardrails', { approval: { mode: 'off' } })
  await acme.owner.put('/organization/sso', ssoBody('acme.example'))
  await acme.as('viewer')
  for (const { path, body } of plainCreations) {
    const isEmpty = (await acme.owner.get(path)).json().data.length === 0
    if (isEmpty) await made(acme.owner, path, body)
  }
  const [report] = (await acme.owner.get('/reports')).json().data
  await made(acme.owner, `/reports/${report.id}/snapshots`, {})
  const expires_at = new Date(world.clock.now().getTime() + 86_400_000).toISOString()
  await made(acme.owner, `/reports/${report.id}/links`, { expires_at })
  giveMail(world.services)
  await made(acme.owner, `/reports/${report.id}/schedules`, scheduleBody)
  await acme.owner.post('/templates', { name: 'Once' }, { 'idempotency-key': 'once' })
  const [delivery] = await rowsOf(world, 'webhook_deliveries', acme)
  const attempt = { number: 1, trigger: 'auto', started_at: world.clock.now().toISOString() }
  await recordAttempts(world, acme, {
    deliveryId: String(delivery?.id ?? endpoint.id),
    attempts: [{ ...attempt, duration_ms: 3, request_headers: {}, response_body: awkward }],
  })
  const [channel] = (await acme.owner.get('/notification_channels')).json().data
  await acme.owner.post(`/notification_channels/${channel.id}/test`)
  await acme.owner.put('/auth/me/notifications', { pacing: 'none' })
  await notifyNow(acme)
  await auditChainIn(() => world).sign()
  return acme
}
