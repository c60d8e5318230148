import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { signatureHeaders } from '../server/src/delivery/sending/signature.ts'
import { anyCharacter } from '../server/test/support/cases/arbitrary.ts'
import type { FlightdeckEvent, Schema } from './src/client.ts'
import { WebhookVerificationError, webhooks } from './src/webhooks.ts'

const [secret, other] = [1, 2].map((seed) => secretOf(Buffer.alloc(32, seed))) as [string, string]

function secretOf(key: Buffer): string {
  return `whsec_${key.toString('base64')}`
}

const event = {
  id: 'evt_01m7ykxs9te009w20gdq6ytgpr',
  type: 'campaign.paused',
  timestamp: '2026-08-01T09:30:00.000Z',
  api_version: 'v1',
  organization_id: 'org_01m7ykxs9te009w20gdq6ytgpr',
  sequence: 42,
  request_id: 'req_01m7ykxs9te009w20gdq6ytgpr',
  actor: { type: 'user', id: 'usr_01m7ykxs9te009w20gdq6ytgpr', name: 'Größe 🚀' },
  test: false,
  data: { object: { name: 'Spring Sale', status: 'paused' }, previous: { status: 'active' } },
}
const body = JSON.stringify(event)

const nowSeconds = () => Math.floor(Date.now() / 1000)

const signed = (text = body, { timestamp = nowSeconds(), by = secret } = {}) =>
  signatureHeaders({ eventId: event.id, timestamp, body: text, secrets: [by] })

/** The reason why a webhook is refused. */
async function refusal(verify: () => Promise<unknown>): Promise<string> {
  try {
    await verify()
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.message
    throw error
  }
  throw new Error('it was taken for genuine')
}

/** Receives a POST over a real connection, as a handler would. */
async function received(headers: Record<string, string>) {
  const { promise, resolve } = Promise.withResolvers<[Buffer, IncomingHttpHeaders]>()
  const server = createServer(async (request, response) => {
    resolve([Buffer.concat(await request.toArray()), request.headers])
    response.end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })
  server.close()
  return promise
}

describe('a genuine webhook', () => {
  test('is the event that was sent, received by a Node server', async () => {
    const [bytes, headers] = await received(signed())
    expect(await webhooks.verify(bytes, headers, secret)).toEqual(event)
  })

  test('may be text or bytes', async () => {
    const bytes = new TextEncoder().encode(body)
    for (const given of [body, bytes, bytes.buffer, Buffer.from(body)]) {
      expect(await webhooks.verify(given, signed(), secret)).toEqual(event)
    }
  })

  test('may have its headers in any shape and case', async () => {
    const pairs = Object.entries(signed())
    const shouted = Object.fromEntries(pairs.map(([name, value]) => [name.toUpperCase(), value]))
    const listed = Object.fromEntries(pairs.map(([name, value]) => [name, [value]]))
    for (const headers of [new Headers(pairs), new Map(pairs), shouted, listed]) {
      expect(await webhooks.verify(body, headers, secret)).toEqual(event)
    }
  })

  test('is verified by the old and the new secret during a rotation', async () => {
    const secrets: [string, string] = [other, secret]
    const headers = signatureHeaders({
      eventId: event.id,
      timestamp: nowSeconds(),
      body,
      secrets,
    })
    for (const each of [secret, other, secrets]) {
      expect(await webhooks.verify(body, headers, each)).toEqual(event)
    }
    expect(await webhooks.verify(body, signed(), secrets)).toEqual(event)
  })

  test('has the object type that belongs to its event type', async () => {
    const paused = await webhooks.verify(body, signed(), secret)
    if (paused.type !== 'campaign.paused') throw new Error('another type')
    const campaign: Schema<'Campaign'> = paused.data.object
    expect([campaign.name, paused.data.previous?.status]).toEqual(['Spring Sale', 'active'])
  })

  test('has an object type for each event type', async () => {
    type ObjectOf<Type> = Extract<FlightdeckEvent, { type: Type }>['data']['object']
    expectTypeOf<ObjectOf<'api_key.created'>>().toEqualTypeOf<Schema<'ApiKey'>>()
    expectTypeOf<ObjectOf<'guardrail.blocked'>>().toEqualTypeOf<Schema<'GuardrailBlock'>>()
    expectTypeOf<ObjectOf<'organization.updated'>>().toEqualTypeOf<Schema<'Organization'>>()
    expectTypeOf<ObjectOf<'organization.guardrails_updated'>>().toEqualTypeOf<
      Schema<'Guardrails'>
    >()
    expectTypeOf<ObjectOf<'organization.clock_moved' | 'organization.reset'>>().toEqualTypeOf<
      Schema<'Sandbox'>
    >()
    expectTypeOf<ObjectOf<'proxy.health_changed'>>().not.toHaveProperty('username')
    expectTypeOf<ObjectOf<'campaign.pausd'>>().toBeNever()

    const verified = await webhooks.verify(body, signed(), secret)
    if (verified.type === 'api_key.created') {
      expectTypeOf(verified.data.object.key_hint).toBeString()
      expectTypeOf(verified.data.previous).toEqualTypeOf<Partial<Schema<'ApiKey'>> | null>()
    }
  })

  test('is verified whatever its content', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter }), async (name) => {
        const text = JSON.stringify({ ...event, data: { object: { name }, previous: null } })
        expect(await webhooks.verify(text, signed(text), secret)).toEqual(JSON.parse(text))
      }),
    )
  })
})

describe('a webhook is refused', () => {
  test('when a header is missing, which is named', async () => {
    const { 'webhook-signature': _, ...rest } = signed()
    expect(await refusal(() => webhooks.verify(body, rest, secret))).toBe(
      'The header webhook-signature is missing',
    )
    expect(await refusal(() => webhooks.verify(body, {}, secret))).toContain('webhook-id')
  })

  test('when body, event, time or secret differs', async () => {
    const headers = signed()
    const moved = { ...headers, 'webhook-timestamp': String(nowSeconds() - 1) }
    const renamed = { ...headers, 'webhook-id': 'evt_x' }
    const attempts = [
      () => webhooks.verify(`${body} `, headers, secret),
      () => webhooks.verify(body, moved, secret),
      () => webhooks.verify(body, renamed, secret),
      () => webhooks.verify(body, headers, [other]),
      () => webhooks.verify(body, { ...headers, 'webhook-signature': 'v1' }, secret),
      () => webhooks.verify(body, { ...headers, 'webhook-signature': 'v2,AAAA v1,AAAA' }, secret),
    ]
    expect(new Set(await Promise.all(attempts.map(refusal)))).toEqual(
      new Set(['No signature matches']),
    )
  })

  test('when it is more than five minutes off, or has no time', async () => {
    const [old, early] = [signed(body, { timestamp: 1e9 }), signed(body, { timestamp: 1e10 })]
    const never = { ...signed(), 'webhook-timestamp': 'soon' }
    const refused = await Promise.all(
      [old, early, never].map((headers) => refusal(() => webhooks.verify(body, headers, secret))),
    )
    expect(refused).toEqual([
      'The webhook-timestamp is more than five minutes off',
      'The webhook-timestamp is more than five minutes off',
      'The webhook-timestamp is no time',
    ])
    const [late, soon] = [-290, 290].map((by) => signed(body, { timestamp: nowSeconds() + by }))
    expect(await webhooks.verify(body, late ?? {}, secret)).toEqual(event)
    expect(await webhooks.verify(body, soon ?? {}, secret)).toEqual(event)
  })

  test('when its bytes are not UTF-8, or the signed body is not an event', async () => {
    const bytes = new Uint8Array([0xff])
    expect(await refusal(() => webhooks.verify(bytes, signed(), secret))).toBe(
      'The body is not UTF-8',
    )
    for (const text of ['', 'null', '[]', '{}', 'hello']) {
      expect(await refusal(() => webhooks.verify(text, signed(text), secret))).toBe(
        'The body is signed, but is not an event',
      )
    }
  })
})

describe('a wrongly configured receiver throws', () => {
  test('when it verifies a parsed body', async () => {
    const parsed = event as unknown as string
    await expect(webhooks.verify(parsed, signed(), secret)).rejects.toThrow(/before it is parsed/)
  })

  test('when it has no secret or an invalid one', async () => {
    const nothing = undefined as unknown as string
    for (const wrong of [nothing, '', 'whsec_', 'whsec_*', [secret, 'not base64!']]) {
      await expect(webhooks.verify(body, signed(), wrong)).rejects.toThrow(TypeError)
    }
    await expect(webhooks.verify(body, signed(), [])).rejects.toThrow(
      'There is no secret to verify with',
    )
  })
})

describe('a signature made to test a receiver', () => {
  test('is accepted by this library and by another', async () => {
    const headers = await webhooks.sign(event, secret, { id: event.id })
    expect(await webhooks.verify(body, headers, secret)).toEqual(event)
    expect(new Webhook(secret).verify(body, headers)).toEqual(event)
  })

  test('is the one that the service makes', async () => {
    const at = new Date()
    const timestamp = Math.floor(at.getTime() / 1000)
    expect(await webhooks.sign(body, secret, { id: event.id, at })).toMatchObject({
      'webhook-signature': signed(body, { timestamp })['webhook-signature'],
    })
  })

  test('needs a secret', async () => {
    await expect(webhooks.sign(body, '')).rejects.toThrow(TypeError)
  })
})
