import { json } from 'node:stream/consumers'
import { expect } from 'vitest'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

test('events appear as they happen, wait while paused, and show what they carry', async () => {
  const { page, organization } = await tests.open({ path: '/events' })
  const { owner } = organization
  await page.getByRole('main').getByText('Live', { exact: true }).waitFor()
  await expectAccessible(page)
  const made = (await owner.post('/profiles', { name: 'Northwind' })).json()
  await page.getByRole('link', { name: 'Northwind' }).waitFor()

  await page.getByRole('button', { name: 'Pause' }).click()
  await owner.post('/profiles', { name: 'Contoso' })
  await owner.patch(`/profiles/${made.id}`, { name: 'Northwind Traders' })
  await page.getByText('Paused, 2 new').waitFor()
  expect(await page.getByRole('link', { name: 'Contoso' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('link', { name: 'Contoso' }).waitFor()

  await page.getByRole('cell', { name: 'Profile updated' }).waitFor()
  await page.getByRole('link', { name: 'profile.updated' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('row', { name: 'name Northwind Northwind Traders' }).waitFor()
  await drawer.getByText('"profile.updated"').waitFor()
  await expectAccessible(page)
  await drawer.getByRole('link', { name: 'Open on its own' }).click()
  await page.getByRole('heading', { name: 'profile.updated', level: 1 }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Northwind Traders' }).click()
  await page.getByRole('heading', { name: 'Northwind Traders', level: 1 }).waitFor()
})

test('events are chosen by patterns in the address, the live ones too', async () => {
  const { page, organization } = await tests.open({ path: '/events', width: 360 })
  const { owner } = organization
  await page.getByRole('link', { name: 'organization.created' }).waitFor()
  await page.getByRole('button', { name: 'Type: any' }).click()
  await page.getByLabel('Types of events').getByPlaceholder('Find event types').fill('template')
  await page.getByLabel('Template', { exact: true }).check()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByText('No event matches').waitFor()
  expect(page.url()).toContain('type=template.*')
  await expectAccessible(page)
  await owner.post('/profiles', { name: 'Northwind' })
  await owner.post('/templates', { name: 'Always-on search' })
  await page.getByRole('link', { name: 'template.created' }).waitFor()
  expect(await page.getByRole('link', { name: 'profile.created' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('link', { name: 'profile.created' }).waitFor()
})

test('older events come while one scrolls', async () => {
  const organization = await tests.world().organization()
  for (let at = 0; at < 60; at += 1) await organization.owner.post('/profiles', { name: `P${at}` })
  const { page } = await tests.open({ organization, path: '/events' })
  await page.getByRole('link', { name: 'P59', exact: true }).waitFor()
  await page.getByRole('link', { name: 'P20', exact: true }).scrollIntoViewIfNeeded()
  await page.getByRole('link', { name: 'organization.created' }).waitFor()
  expect(await page.getByRole('row').count()).toBe(63)
})

test('the catalogue says what each type means, and is downloaded with its schemas', async () => {
  const { page } = await tests.open({ path: '/event-types', role: 'viewer' })
  await page.getByLabel('Search types').fill('paused')
  await page.getByText('profile.created', { exact: true }).waitFor({ state: 'detached' })
  await expectAccessible(page)
  await page.getByRole('main').locator('summary', { hasText: 'campaign.paused' }).first().click()
  await page.getByRole('cell', { name: 'status_reason' }).waitFor()
  await page.getByText('JSON Schema of Campaign').waitFor()
  expect(page.url()).toContain('open=campaign.paused')
  await expectAccessible(page)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download with schemas' }).click(),
  ])
  expect(await json(await file.createReadStream())).toMatchObject({
    data: expect.arrayContaining([expect.objectContaining({ type: 'campaign.paused' })]),
  })
})

test('a viewer has no events: the screen says why', async () => {
  const { page } = await tests.open({ path: '/events', role: 'viewer' })
  tests.expectComplaint(/403/)
  await page.getByText('The role does not allow this').waitFor()
  await expectAccessible(page)
})
