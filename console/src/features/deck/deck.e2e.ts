import { expect } from 'vitest'
import type { TestOrganization } from '../../../../server/test/support/world.ts'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

async function campaignOf({ owner }: TestOrganization, name: string) {
  const profile = (await owner.post('/profiles', { name: `${name} profile` })).json()
  const body = {
    name,
    objective: 'sales',
    profile_id: profile.id,
    daily_budget: 50,
    currency: 'USD',
  }
  return (await owner.post('/campaigns', body)).json()
}

test('a new organization needs no one', async () => {
  const { page } = await tests.open({ path: '/' })
  await page.getByText('Nothing needs you now').waitFor()
  await page.getByRole('table', { name: 'Last changes' }).waitFor()
  await expectAccessible(page)
})

test('changes are not said to be none before they are read, nor where that failed', async () => {
  const { page } = await tests.open({ path: '/profiles' })
  tests.expectComplaint(/503 \(Service Unavailable\)/)
  let answer: (() => void) | undefined
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/v1/events?*', async (route) => {
    await held
    await route.fulfill({ status: 503, json: {} })
  })
  await page.getByRole('link', { name: 'Deck' }).click()
  await page.getByText('Nothing needs you now').waitFor()
  await page.getByRole('status', { name: 'Loading' }).waitFor()
  const none = page.getByText('Nothing has been changed yet')
  expect(await none.count()).toBe(0)
  answer?.()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  expect(await none.count()).toBe(0)
})

test('campaigns that wait for an approval lead to the inbox of those who may approve', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  await owner.put('/organization/guardrails', { approval: { mode: 'always' } })
  const { id } = await campaignOf(organization, 'Spring sale')
  const editor = await organization.as('editor')
  await editor.post(`/campaigns/${id}/submit`)
  const { page } = await tests.open({ organization, path: '/' })
  const line = page.getByRole('link', { name: '1 campaign waits for your approval' })
  await line.getByText('Spring sale').waitFor()
  expect(await line.getAttribute('href')).toBe('/console/approvals')
  await expectAccessible(page)
  const own = await tests.open({ organization, client: editor, path: '/' })
  await own.page.getByText('Nothing needs you now').waitFor()
})

test('one change set that waits for an approval is one click away, several are a list', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  await owner.put('/organization/guardrails', { change_sets: { approval: 'always' } })
  const { id } = await campaignOf(organization, 'Autumn sale')
  const editor = await organization.as('editor')
  const propose = async (title: string, daily_budget: number) => {
    const operations = [{ op: 'update', id, body: { daily_budget } }]
    return (await editor.post('/change_sets', { title, operations })).json()
  }
  const first = await propose('Autumn budgets', 60)
  const { page } = await tests.open({ organization, path: '/' })
  await tests.untilLive(page)
  const line = page.getByRole('link', { name: '1 change set waits for your approval' })
  await line.getByText('Autumn budgets').waitFor()
  expect(await line.getAttribute('href')).toBe(`/console/change-sets/${first.id}`)
  await propose('Winter budgets', 70)
  const lines = page.getByRole('link', { name: '2 change sets wait for your approval' })
  await lines.waitFor()
  expect(await lines.getAttribute('href')).toBe('/console/change-sets?status=open')
})

test('campaigns paused by the service lead to the list of them', async () => {
  const organization = await tests.world().organization()
  const campaign = await campaignOf(organization, 'Winter sale')
  await organization.owner.post(`/campaigns/${campaign.id}/launch`)
  await organization.owner.patch(`/profiles/${campaign.profile_id}`, { status: 'paused' })
  const { page } = await tests.open({ organization, path: '/', role: 'viewer' })
  const line = page.getByRole('link', { name: /1 campaign paused by the service/ })
  await line.getByText('Winter sale').waitFor()
  const href = '/console/campaigns?status=paused&status_reason=profile_not_active'
  expect(await line.getAttribute('href')).toBe(href)
})

test('failing proxies stop campaigns, and both are shown', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const campaign = await campaignOf(organization, 'Summer sale')
  const proxy = (
    await owner.post('/proxies', { protocol: 'http', host: 'proxy.example.net', port: 8080 })
  ).json()
  await owner.patch(`/profiles/${campaign.profile_id}`, { proxy_id: proxy.id })
  await owner.post(`/campaigns/${campaign.id}/launch`)
  for (const _ of [1, 2, 3]) await owner.post(`/proxies/${proxy.id}/check`)
  const { page } = await tests.open({ organization, path: '/' })
  await page.getByRole('link', { name: /1 proxy failing/ }).waitFor()
  const line = page.getByRole('link', { name: /1 active campaign cannot deliver: proxy failing/ })
  const href = '/console/campaigns?status=active&delivery_reason=proxy_failing'
  expect(await line.getAttribute('href')).toBe(href)
  await expectAccessible(page)
})

test('limits that are nearly reached lead to the organization', async () => {
  const organization = await tests.world().organization()
  const endpoint = (at: number) => ({ url: `https://example.com/${at}` })
  for (let at = 0; at < 16; at += 1) {
    await organization.owner.post('/webhook_endpoints', endpoint(at))
  }
  const { page } = await tests.open({ organization, path: '/', role: 'auditor' })
  const line = page.getByRole('link', { name: 'Webhook endpoints: nearly full' })
  await line.getByText('16 of 20 are used').waitFor()
  const changes = page.getByRole('table', { name: 'Last changes' })
  await changes.getByText('Webhook endpoint created').first().waitFor()
  // To log in changes nothing.
  expect(await changes.getByText(/login/i).count()).toBe(0)
})

test('what changes elsewhere appears by itself', async () => {
  const { page, organization } = await tests.open({ path: '/' })
  await page.getByRole('table', { name: 'Last changes' }).waitFor()
  await tests.untilLive(page)
  await organization.owner.post('/profiles', { name: 'Fabrikam' })
  await page.getByRole('link', { name: 'Fabrikam' }).waitFor()
})

test('on a telephone what was changed is read whole', async () => {
  const organization = await tests.world().organization()
  await organization.owner.post('/webhook_endpoints', { url: 'https://example.com/hooks' })
  const { page } = await tests.open({ organization, path: '/', width: 360 })
  const what = page.getByText('Webhook endpoint created')
  await what.waitFor()
  expect(await what.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0)
  const width = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  expect(await page.evaluate(width)).toBeLessThanOrEqual(0)
})
