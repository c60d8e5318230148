import { madeKey } from './api-keys.ts'
import { auditChainIn } from './audit-chain.ts'
import { endpointOf, recordAttempts, rowsOf } from './deliveries.ts'
import type { TestOrganization, World } from './world.ts'
import { campaignAfter, made } from './writes.ts'

/** Text with characters that table formats must escape. */
export const awkward = 'tab\tnew\nline\r\\N \\. "quoted", é 🚀 \u{7f}'

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
  await campaignAfter(acme, [], { name: 'Draft' })
  await made(acme.owner, '/templates', { name: awkward.replaceAll(/[\t\n\r\u{7f}]/gu, '') })
  await madeKey(world, acme.owner)
  await acme.owner.put('/organization/guardrails', { approval: { mode: 'off' } })
  await acme.as('viewer')
  await acme.owner.post('/templates', { name: 'Once' }, { 'idempotency-key': 'once' })
  const [delivery] = await rowsOf(world, 'webhook_deliveries', acme)
  const attempt = { number: 1, trigger: 'automatic', started_at: world.clock.now().toISOString() }
  await recordAttempts(world, acme, {
    deliveryId: String(delivery?.id ?? endpoint.id),
    attempts: [{ ...attempt, duration_ms: 3, request_headers: {}, response_body: awkward }],
  })
  await auditChainIn(() => world).sign()
  return acme
}
