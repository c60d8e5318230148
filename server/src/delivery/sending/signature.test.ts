import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../test/support/cases/arbitrary.ts'
import { type SignedMessage, signatureHeaders } from './signature.ts'

const secretOf = (key: Uint8Array) => `whsec_${Buffer.from(key).toString('base64')}`

const secrets = fc.uint8Array({ minLength: 24, maxLength: 64 }).map(secretOf)
/** All of Unicode: line breaks, dots, NUL and characters of four bytes in UTF-8. */
const texts = fc.string({ unit: anyCharacter, maxLength: 300 })
const bodies = fc.oneof(texts, fc.json({ stringUnit: anyCharacter }))
const eventIds = fc.stringMatching(/^evt_[0-9a-z]{26}$/)
const now = () => Math.floor(Date.now() / 1000)

const verifiers = { standardwebhooks: Webhook, svix: SvixWebhook }

/** The libraries, of two, that accept these headers. */
function believers(headers: Record<string, string>, body: string, secret: string): string[] {
  return Object.entries(verifiers)
    .filter(([, Verifier]) => {
      try {
        new Verifier(secret).verify(body, headers, { jsonParse: false })
        return true
      } catch {
        return false
      }
    })
    .map(([name]) => name)
}

const both = ['standardwebhooks', 'svix']

const delivery: SignedMessage = {
  eventId: 'evt_01m7ykxs9te009w20gdq6ytgpr',
  timestamp: now(),
  body: '{"name":"Größe 🚀"}',
  secrets: [secretOf(new Uint8Array(32).fill(1))],
}

describe('signatures', () => {
  test('the published example is reproduced', () => {
    const headers = signatureHeaders({
      eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1614265330,
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    })
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  test('both public libraries accept them, for any body and secret', () => {
    fc.assert(
      fc.property(eventIds, bodies, secrets, (eventId, body, secret) => {
        const headers = signatureHeaders({ eventId, timestamp: now(), body, secrets: [secret] })
        expect(believers(headers, body, secret)).toEqual(both)
      }),
    )
  })

  test('during a rotation a receiver may know either secret, or any of several', () => {
    const several = fc.uniqueArray(secrets, { minLength: 2, maxLength: 4 })
    fc.assert(
      fc.property(several, bodies, ([newest = '', ...older], body) => {
        const headers = signatureHeaders({ ...delivery, body, secrets: [newest, ...older] })
        for (const secret of [newest, ...older]) {
          expect(believers(headers, body, secret)).toEqual(both)
        }
      }),
    )
  })

  test('the newest secret signs first', () => {
    const [newest, older] = [secretOf(Buffer.alloc(32, 'new')), secretOf(Buffer.alloc(32, 'old'))]
    const signedBy = (...by: [string, ...string[]]) =>
      signatureHeaders({ ...delivery, secrets: by })['webhook-signature']
    expect(signedBy(newest, older)).toBe(`${signedBy(newest)} ${signedBy(older)}`)
  })

  test('another body, event, time or secret is not accepted', () => {
    const [secret] = delivery.secrets
    const headers = signatureHeaders(delivery)
    const other = secretOf(new Uint8Array(32).fill(2))
    expect(believers(headers, delivery.body, secret)).toEqual(both)
    expect(believers(headers, `${delivery.body} `, secret)).toEqual([])
    expect(believers({ ...headers, 'webhook-id': 'evt_x' }, delivery.body, secret)).toEqual([])
    const later = { ...headers, 'webhook-timestamp': String(delivery.timestamp + 1) }
    expect(believers(later, delivery.body, secret)).toEqual([])
    expect(believers(headers, delivery.body, other)).toEqual([])
  })

  test('an attempt at another time has another signature for the same body', () => {
    const later = signatureHeaders({ ...delivery, timestamp: delivery.timestamp + 5 })
    const { 'webhook-signature': signature } = signatureHeaders(delivery)
    expect(later['webhook-signature']).not.toBe(signature)
  })
})
