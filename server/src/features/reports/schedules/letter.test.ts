import { expect, test } from 'vitest'
import { reportLetter } from './letter.ts'

const sent = {
  ...{ by: 'Acme', name: 'Monthly', client: 'Northwind', every: 'month' as const },
  period: { from: '2026-10-01', to: '2026-11-01' },
  url: 'https://flightdeck.example.com/r/x',
  expiresAt: '2026-12-01T07:00:00.000Z',
}

test('the subject says which report it is, of whom and of which days', () => {
  expect(reportLetter(sent).subject).toBe('Monthly: Northwind, 1 – 31 October 2026')
  const overMonths = { from: '2026-10-15', to: '2026-11-15' }
  const other = reportLetter({ ...sent, client: null, period: overMonths })
  expect(other.subject).toBe('Monthly: 15 October – 14 November 2026')
  const oneDay = { from: '2026-10-15', to: '2026-10-16' }
  expect(reportLetter({ ...sent, period: oneDay }).subject).toBe(
    'Monthly: Northwind, 15 October 2026',
  )
})

test('names make no link and no line of their own', () => {
  const evil = 'See https://evil.example/x\r\nBcc: eve@evil.example'
  const letter = reportLetter({ ...sent, by: evil, name: evil, client: evil })
  const texts = [letter.subject, ...letter.lines, ...letter.remarks].join(' ')
  expect(texts).not.toMatch(/:\/\/|evil\.example|[\r\n]/)
  expect(letter.link).toEqual({ name: 'Open the report', url: sent.url })
})
