import type { Browser, Page } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, expect, inject, test as vitestTest } from 'vitest'
import { fill } from '../../server/src/commands/demo/demo.ts'
import { inTransaction } from '../../server/src/kernel/transaction.ts'
import { ssoBody } from '../../server/test/support/cases/people/sso-cases.ts'
import {
  openWorld,
  password,
  type TestOrganization,
  type World,
} from '../../server/test/support/world.ts'
import { campaignOf } from './campaigns.ts'
import { complain, startFirefox } from './firefox.ts'

const executablePath = inject('firefoxAt')
/** Skipped by name where there is no Firefox. */
const test = vitestTest.skipIf(executablePath === '')

let world: World
let organization: TestOrganization
let origin = ''
let browser: Browser
let page: Page
let complaints: string[] = []

// One window for all: to open another costs more than a screen does.
beforeAll(async () => {
  if (executablePath === '') return
  world = await openWorld()
  organization = await world.organization({ sandbox: true, name: 'Organization' })
  await inTransaction(organization.ctx, fill)
  await organization.owner.put('/organization/sso', ssoBody('acme.example'))
  origin = await world.app.listen({ host: '127.0.0.1', port: 0 })
  browser = await startFirefox(executablePath)
  page = await browser.newPage()
  await complain(page, origin, (text) => complaints.push(text))
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
})
afterEach(async () => {
  // With the answer, all that it has said until now has come.
  await page?.title()
  const found = complaints
  complaints = []
  expect(found).toEqual([])
})

const button = (name: string) =>
  page.locator(`::-p-xpath(//button[normalize-space()="${name}" or @aria-label="${name}"])`)
const focused = (within: string) => page.locator(`${within} :focus`).wait()
const gone = (selector: string) => page.waitForSelector(selector, { hidden: true })
const focusedName = () =>
  page.$eval(':focus', ({ ariaLabel, textContent }) => ariaLabel ?? textContent)
const headingOf = () => page.$eval('main h1', ({ textContent }) => textContent)

async function open(path: string): Promise<void> {
  await page.goto(`${origin}/console${path}`)
  await page.locator('main h1').wait()
}

test('in Firefox, one logs in, and each screen of the navigation opens', async () => {
  await page.goto(`${origin}/console`)
  await page.locator('input[type=email]').fill(organization.owner.email)
  await page.locator('input[type=password]').fill(password)
  await button('Log in').click()
  await page.locator('main ::-p-text(Last changes)').wait()
  const links = await page.$$('nav[aria-label=Screens] a')
  expect(links.length).toBeGreaterThanOrEqual(18)
  for (const link of links) {
    const name = await link.evaluate(({ textContent }) => textContent)
    await link.click()
    await expect.poll(headingOf).toBe(name)
    await quiet()
  }
})

/** Nothing is on its way any more, so that what goes wrong with it belongs to this screen. */
const quiet = () => page.waitForNetworkIdle({ idleTime: 100, concurrency: 1 })

const others = {
  '/audit-log/verify': 'Verify the audit log',
  '/campaigns/new': 'New campaign',
  '/currencies': 'Currencies',
  '/deliveries': 'Deliveries',
  '/errors': 'Error codes',
  '/event-types': 'Catalogue of events',
  '/inbox': 'Inbox',
  '/organization/notification-channels': 'Notification channels',
  '/organization/single-sign-on': 'Single sign-on',
  '/results/import': 'Import results',
}

test('in Firefox, the screens beside the navigation open', async () => {
  for (const [path, title] of Object.entries(others)) {
    await open(path)
    await expect.poll(headingOf).toBe(title)
    await quiet()
  }
})

type Made = { path: string; title: string }

/** An object of each kind, of those that the demo has not. */
async function objects({ owner }: TestOrganization): Promise<Made[]> {
  const firstOf = async (path: string) => (await owner.get(`${path}?limit=1`)).json().data[0]
  const made = async (path: string, body: object) => (await owner.post(path, body)).json()
  const campaign = await firstOf('/campaigns')
  const operations = [{ op: 'update', id: campaign.id, body: { notes: 'Agreed by phone' } }]
  const set = await made('/change_sets', { title: 'Budgets of December', operations })
  const endpoint = await made('/webhook_endpoints', { url: 'https://example.com/hook' })
  const delivery = await made(`/webhook_endpoints/${endpoint.id}/test`, {})
  const notified = { kind: 'slack', name: '#ads', target: endpoint.url, events: ['change_set.*'] }
  const channel = await made('/notification_channels', notified)
  const key = await made('/api_keys', { name: 'Reporting', role: 'viewer' })
  const report = await made('/reports', { name: 'All, monthly', period: 'last_month' })
  const [profile, template, proxy, event] = await Promise.all(
    ['/profiles', '/templates', '/proxies', '/events'].map(firstOf),
  )
  return [
    { path: `/campaigns/${campaign.id}`, title: campaign.name },
    { path: `/change-sets/${set.id}`, title: 'Budgets of December' },
    { path: `/webhook-endpoints/${endpoint.id}`, title: endpoint.url },
    {
      path: `/webhook-endpoints/${endpoint.id}/deliveries/${delivery.id}`,
      title: 'Delivery of webhook_endpoint.test',
    },
    { path: `/organization/notification-channels/${channel.id}`, title: '#ads' },
    { path: `/api-keys/${key.id}`, title: key.name },
    { path: `/reports/${report.id}`, title: 'All, monthly' },
    { path: `/profiles/${profile.id}`, title: profile.name },
    { path: `/templates/${template.id}`, title: template.name },
    { path: `/proxies/${proxy.id}`, title: proxy.name },
    { path: `/events/${event.id}`, title: event.type },
    { path: `/members/${owner.userId}`, title: 'Olga Owner' },
    { path: '/members/invitations', title: 'Invitations' },
  ]
}

test('in Firefox, the page of an object of each kind opens', async () => {
  for (const { path, title } of await objects(organization)) {
    await open(path)
    await expect.poll(headingOf).toBe(title)
    await quiet()
  }
})

test('in Firefox, a panel opens, and a date is typed in it', async () => {
  await open('/campaigns')
  await button('More filters').click()
  await focused(':popover-open')
  await page.focus(':popover-open input[type=date]')
  // Slower than the address takes, as people type.
  await page.keyboard.type('06012027', { delay: 60 })
  const addressed = () => new URL(page.url()).searchParams.get('start_after')
  await expect.poll(addressed).toBe('2027-06-01T00:00:00.000Z')
  await page.locator('main ::-p-text(No campaign matches)').wait()
  await page.keyboard.press('Escape')
  await gone(':popover-open')
})

test('in Firefox, an amount is edited in the grid', async () => {
  const { id } = await campaignOf(organization.owner)
  await open('/campaigns?q=spring+sale')
  const cell = '[data-column="daily_budget"]'
  await page.locator(`[role=row]:has(a[href$="${id}"]) ${cell}`).click({ count: 2 })
  await page.locator(':popover-open input').fill('1.250,50')
  const said = () => page.$eval(':popover-open', ({ textContent }) => textContent)
  await expect.poll(said).toMatch(/= USD\s1,250\.50\sa day/)
  await page.keyboard.press('Enter')
  const stored = async () => (await organization.owner.get(`/campaigns/${id}`)).json()
  await expect.poll(async () => (await stored()).daily_budget_minor).toBe(125_050)
  await gone(':popover-open')
})

test('in Firefox, a dialog and a menu hold the focus, and give it back', async () => {
  const { id } = await campaignOf(organization.owner)
  await open(`/campaigns/${id}`)
  for (const [name, within] of [
    ['Edit', 'dialog:modal'],
    ['More', '[role=menu]'],
  ] as const) {
    await button(name).click()
    await focused(within)
    await page.keyboard.press('Escape')
    await gone(within)
    await expect.poll(focusedName).toBe(name)
  }
})

test('in Firefox, the audit log is verified in the browser', async () => {
  await open('/audit-log/verify')
  await button('Verify here').click()
  await page.locator('main ::-p-text(Intact)').wait()
})

test('in Firefox too, whatever goes wrong on a page is seen', async () => {
  await open('/errors')
  await page.evaluate(`
    console.error('said')
    setTimeout(() => { throw new Error('thrown') })
    document.body.insertAdjacentElement('beforeend', document.createElement('img')).src = 'http://127.0.0.1:9/'
    fetch('/api/v1/nothing')`)
  await page.goto('http://elsewhere.invalid/').catch(() => null)
  const expected = [/said/, /thrown/, /violation of img-src/, /answer: 404/, /elsewhere\.invalid/]
  const unseen = () => expected.filter((each) => !complaints.some((text) => each.test(text)))
  await expect.poll(unseen).toEqual([])
  complaints = []
})
