import { expect } from 'vitest'
import { invitationLetter } from '../../server/src/features/invitations/letters.ts'
import { htmlOf } from '../../server/src/mail/letter.ts'
import { consoleTests, test } from './console.ts'

const { visit } = consoleTests()

test('a mail is no wider than its program, whatever the names in it', async () => {
  const page = await visit('/console/login')
  await page.goto('about:blank')
  await page.setViewportSize({ width: 390, height: 600 })
  const names = { by: 'a'.repeat(200), to: 'Überlange-'.repeat(20) }
  const link = { url: 'https://ads.example.com/console/join', expiresAt: '2026-12-05T09:30:00Z' }
  await page.setContent(htmlOf(invitationLetter({ ...names, ...link, role: 'editor' })))
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
})
