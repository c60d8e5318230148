import type { ServerResponse } from 'node:http'
import { expect } from 'vitest'
import { deliveriesOf, openToLocal, subscribe } from '../../../../server/test/support/delivering.ts'
import { receiverForTest } from '../../../../server/test/support/machines/receiver.ts'
import type { Client } from '../../../../server/test/support/world.ts'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

// One more attempt after a second, then a delivery is given up.
const env = { ...openToLocal, FLIGHTDECK_WEBHOOK_RETRY_SCHEDULE: '1' }
const tests = consoleTests({ env, background: true })

/** An organization whose receiver does what a test says. */
async function receiving() {
  const receiver = await receiverForTest()
  const organization = await tests.world().organization()
  return { receiver, organization, owner: organization.owner }
}

const makeEvent = (owner: Client, name = 'Northwind') => owner.post('/profiles', { name })

const withStatus = (owner: Client, endpoint: { id: string }, status: string, count = 1) =>
  expect
    .poll(async () => (await deliveriesOf(owner, endpoint, `status=${status}`)).length)
    .toBe(count)

test('an endpoint is created for chosen events, and its secret is shown once', async () => {
  const { receiver, organization, owner } = await receiving()
  const { page } = await tests.open({ organization, path: '/webhook-endpoints' })
  await page.getByText('No webhook endpoints yet').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New endpoint' }).first().click()
  await page.getByLabel('Address', { exact: true }).fill(receiver.url)
  await page.getByLabel('All events').uncheck()
  await page.getByLabel('Events', { exact: true }).fill('paus')
  await page.getByLabel('campaign.paused').check()
  await page.getByLabel('Events', { exact: true }).fill('')
  await page.getByLabel('Profile', { exact: true }).check()
  expect(await page.getByLabel('profile.updated').isDisabled()).toBe(true)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create endpoint' }).click()

  await page.getByText('it is shown this once').waitFor()
  const secret = await page.locator('dialog pre').innerText()
  expect(secret).toMatch(/^whsec_/)
  await expectAccessible(page)
  // Nothing closes it by accident.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('heading', { name: receiver.url, level: 1 }).waitFor()
  expect(await page.getByText(secret).count()).toBe(0)
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(receiver.url)
  const [endpoint] = (await owner.get('/webhook_endpoints')).json().data
  expect(endpoint.events).toEqual(['campaign.paused', 'profile.*'])

  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Description').fill('The data warehouse')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The data warehouse').waitFor()

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Rotate secret…' }).click()
  await page.getByLabel('The present secret also signs for').selectOption('One hour')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  const rotated = await page.locator('dialog pre').innerText()
  expect(rotated).not.toBe(secret)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByText(`ends with ${rotated.slice(-4)}`).waitFor()
})

test('a test event is sent, and its delivery shows request, response and time', async () => {
  const { receiver, organization, owner } = await receiving()
  let held: ServerResponse | undefined
  receiver.answer((_, response) => {
    held = response
  })
  const endpoint = await subscribe(owner, receiver)
  const { page } = await tests.open({ organization, path: `/webhook-endpoints/${endpoint.id}` })
  await page.getByRole('button', { name: 'Send test event' }).click()
  await page.getByRole('heading', { name: 'Delivery of webhook_endpoint.test' }).waitFor()
  // The receiver hangs.
  await receiver.arrived(1)
  await page.getByText('On its way…').waitFor()
  const send = page.getByRole('button', { name: 'Send now' })
  expect(await send.getAttribute('aria-disabled')).toBe('true')
  await expectAccessible(page)
  held?.writeHead(503, { 'content-type': 'application/json' }).end('{"error":"maintenance"}')
  await page.getByText('the receiver answered 503').waitFor()
  await page.getByText('"maintenance"').waitFor()
  await expectAccessible(page)
  receiver.answer(200)
  await page.getByRole('button', { name: /^Send/ }).click()
  await page.getByRole('main').getByText('Succeeded').waitFor()
  await page
    .getByText(/Attempt \d/)
    .nth(1)
    .waitFor()
})

test('what failed is given up, recovered after a look at how much it is, and arrives', async () => {
  const { receiver, organization, owner } = await receiving()
  receiver.answer(500)
  const endpoint = await subscribe(owner, receiver)
  await makeEvent(owner)
  await makeEvent(owner, 'Contoso')
  await withStatus(owner, endpoint, 'failed', 2)
  const { page } = await tests.open({ organization, path: `/webhook-endpoints/${endpoint.id}` })
  await page.getByText(/The last \d attempts failed\./).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'what was given up' }).click()
  await expect.poll(() => page.getByLabel('Status').inputValue()).toBe('failed')
  receiver.answer(200)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Recover missed deliveries…' }).click()
  await page.getByText('2 deliveries will be sent again.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('2 deliveries are sent again').waitFor()
  await withStatus(owner, endpoint, 'succeeded', 2)
})

test('a disabled endpoint skips events, and is enabled again', async () => {
  const { receiver, organization, owner } = await receiving()
  const endpoint = await subscribe(owner, receiver)
  const { page } = await tests.open({ organization, path: `/webhook-endpoints/${endpoint.id}` })
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Disable…' }).click()
  await page.getByRole('button', { name: 'Disable endpoint' }).click()
  await page.getByText('This endpoint is disabled.').waitFor()
  await expectAccessible(page)
  await makeEvent(owner)
  await withStatus(owner, endpoint, 'skipped')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByText('Enable it first.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Enable' }).first().click()
  await page.getByRole('button', { name: 'Recover…' }).click()
  await page.getByText('1 delivery will be sent again.').waitFor()
  await page.getByRole('button', { name: 'Send again' }).click()
  await receiver.arrived(1)
  await page.goto(`${tests.origin()}/console/webhook-endpoints/${endpoint.id}?open=delete`)
  // Its deliveries may be asked for once more before its screen goes.
  tests.expectComplaint(/404 .*\/deliveries/)
  await page.getByRole('button', { name: 'Delete endpoint' }).click()
  await page.getByText('No webhook endpoints yet').waitFor()
})

test('deliveries to all endpoints are filtered in the address', async () => {
  const { receiver, organization, owner } = await receiving()
  const other = await receiverForTest()
  other.answer(500)
  const events = { events: ['profile.*'] }
  const endpoint = await subscribe(owner, receiver, events)
  const failing = await subscribe(owner, other, events)
  await makeEvent(owner)
  await withStatus(owner, endpoint, 'succeeded')
  await withStatus(owner, failing, 'failed')
  const { page } = await tests.open({ organization, path: '/deliveries', width: 360 })
  await page.getByRole('cell', { name: 'Succeeded' }).first().waitFor()
  await expectAccessible(page)
  await page.getByLabel('Status').selectOption('failed')
  await expect.poll(() => page.getByRole('cell', { name: 'Succeeded' }).count()).toBe(0)
  await page.getByLabel('Endpoint').selectOption(endpoint.id)
  await page.getByText('No delivery matches').waitFor()
  expect(page.url()).toContain(`endpoint_id=${endpoint.id}`)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('link', { name: 'profile.created' }).first().click()
  await page.getByRole('link', { name: 'Deliveries of this event' }).click()
  await expect.poll(() => page.getByRole('row').count()).toBe(3)
})

test('a refusal of an address stands at its field', async () => {
  const { page } = await tests.open({ path: '/webhook-endpoints?open=new' })
  tests.expectComplaint(/422/)
  await page.getByLabel('Address', { exact: true }).fill('https://user:secret@example.com/')
  await page.getByRole('button', { name: 'Create endpoint' }).click()
  await expect
    .poll(() => page.getByLabel('Address', { exact: true }).getAttribute('aria-invalid'))
    .toBe('true')
  await expectAccessible(page)
})

test('an editor finds no webhooks: the navigation leaves them out', async () => {
  const { page } = await tests.open({ path: '/webhook-endpoints', role: 'editor' })
  tests.expectComplaint(/403/)
  expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
  await page.getByText('The role does not allow this').waitFor()
  await expectAccessible(page)
})
