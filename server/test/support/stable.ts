/** Makes a real reply the same in every run: ids, times, secrets and what differs by machine. */
export function stable(reply: unknown, startedAt: Date): unknown {
  const replace = replacements(startedAt)
  const replaceText = (text: string): string =>
    text.startsWith('{"') ? JSON.stringify(visit(JSON.parse(text), '', '')) : replace(text)
  // Days are those of the request.
  const visitText = (text: string, name: string, path: string) => {
    if (day.test(text)) return text
    if (base32.test(text)) return timeSecret
    if (loginCode.test(text)) return 'BCDF-GHJK'
    if (loginSecret.test(text)) return `BCDFGHJK${fixedTexts.challenge}`
    // Groups of results have keys, which are no secrets.
    return path.endsWith('/groups/key') ? replace(text) : (fixedTexts[name] ?? replaceText(text))
  }
  const visit = (value: unknown, name: string, path: string): unknown => {
    if (typeof value === 'string') return visitText(value, name, path)
    if (typeof value === 'number') return numberAt(path, value)
    if (Array.isArray(value))
      return hasPlan(value) ? plannedDays : value.map((each) => visit(each, name, path))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        replace(key),
        visit(each, key, `${path}/${key}`),
      ]),
    )
  }
  return visit(reply, '', '')
}

const loginCode = /^[B-Z]{4}-[B-Z]{4}$/
const loginSecret = /^[B-Z]{8}[\w-]{43}$/
const base32 = /^[A-Z2-7]{32}$/
const timeSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

/** Shown in place of what is random or differs by machine, by the name of the field. */
const fixedTexts: Readonly<Record<string, string>> = {
  key: 'fdk_5pK1vYqE0b3WmZr8TnXcLsUdGhJf7a9QoV2iCkRw3Xq',
  key_hint: 'w3Xq',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  secret_hint: 'KYo=',
  challenge: 'q1bXk9y3nVbq0zJp5m2c8s7d4f6g1h0jKlMnOpQrStU',
  otpauth_url: `otpauth://totp/Flightdeck:ada%40example.com?issuer=Flightdeck&secret=${timeSecret}&algorithm=SHA1&digits=6&period=30`,
  domain: 'acme.example',
  domains: 'acme.example',
  txt_record: 'flightdeck-verification=4f2a9c0d7b1e46358a0fd2c91b7e6a53',
  recovery_codes: 'fpgus-4xw96-jxpms-gxnvq',
  temporary_password: 'orbit-lantern-maple-47',
  next_cursor: 'bmV4dCBwYWdl',
  next_at: '2026-12-01T08:00:00.000Z',
  user_agent: 'curl/8.14.1',
  address: '203.0.113.7',
  host: 'proxy.example.com',
  marker: 'fd:01m7yez275fk1a52pr5qevn8kn',
  html: '<!doctype html>\n<html lang="en">…</html>\n',
  ip: '203.0.113.7',
  date: 'Sat, 21 Nov 2026 09:30:00 GMT',
  'webhook-timestamp': '1795253400',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
}

const fixedNumbers: readonly [RegExp, number][] = [
  [/^\/storage\/bytes$/, 57_344],
  [/^\/storage\/by_kind\//, 8192],
  [/\/duration_ms$/, 42],
  [/^\/last_check\/latency_ms$/, 42],
  [/\/days_behind$/, 0],
]

/**
 * The only day shown of a plan: number and shares depend on the hour at which the campaign was
 * launched.
 */
const plannedDays = [
  { date: '2026-11-21', budget_minor: 3351, expected_minor: 3351, allowed_minor: 6702 },
]

const hasPlan = ([first]: readonly unknown[]): boolean =>
  Object(first).allowed_minor !== undefined && Object(first).date !== undefined

const numberAt = (path: string, value: number): number =>
  fixedNumbers.find(([pattern]) => pattern.test(path))?.[1] ?? value

/** The present of the documented examples. */
export const shownNowMs = Date.parse('2026-11-21T09:30:00.000Z')
const hourMs = 3_600_000
const farHours = 200 * 24

const day = /^\d{4}-\d\d-\d\d$/
const id = /\b([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
const token = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g
const hash = /\b(?!0{64})[0-9a-f]{64}\b/g
const sample = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
/** The secret in the address of a link: to a report, to join, to set a password. */
const linkSecret = /(\/r\/|#)[\w-]{43}(?![\w-])/g
const localOrigin = /http:\/\/127\.0\.0\.1:\d+/g

function replacements(startedAt: Date): (text: string) => string {
  const known = new Map<string, string>()
  const numbered = (kind: string, text: string, make: (at: number) => string): string => {
    const given = `${kind} ${text}`
    const at = [...known.keys()].filter((each) => each.startsWith(`${kind} `)).length
    const shown = known.get(given) ?? make(at)
    known.set(given, shown)
    return shown
  }
  return (text) =>
    text
      .replaceAll(id, (found, prefix) =>
        numbered(prefix, found, (at) => `${prefix}_01m7yez275fk1a52pr5qevn8k${'npqrstvwxyz'[at]}`),
      )
      // A time that is no number of half hours away is one at which the test ran.
      .replaceAll(time, (found) => {
        const hours = Math.round((2 * (Date.parse(found) - startedAt.getTime())) / hourMs) / 2
        // Long before the test: of the request, as days are.
        if (hours < -farHours) return found
        return new Date(shownNowMs + hours * hourMs).toISOString()
      })
      .replaceAll(token, 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c3IifQ.c2lnbmF0dXJl')
      .replaceAll(hash, (found) =>
        numbered('hash', found, (at) => sample.slice(at) + sample.slice(0, at)),
      )
      .replaceAll(linkSecret, '$1k7Qx2mVb9Zr4Tn8LcPwYsHdGfJa3E6oUiCvRkMq1XtB')
      .replaceAll(localOrigin, 'https://example.com')
      .replaceAll('127.0.0.1', '203.0.113.7')
      .replaceAll('lightMyRequest', 'curl/8.14.1')
      .replaceAll(/flightdeck-webhooks\/[\w.-]+/g, 'flightdeck-webhooks/1.0.0')
      .replaceAll(/\b(\w+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}@/g, '$1@')
}
