import { expect, onTestFinished } from 'vitest'
import { openHttpProxy, openRawProxy } from '../../../../server/test/support/machines/proxies.ts'
import { openReceiver } from '../../../../server/test/support/machines/receiver.ts'
import { consoleTests, expectAccessible, screens, test } from '../../../test/console.ts'

/** The page that checks ask for, behind the proxies. */
const behind = await openReceiver()
behind.answer((_, response) => void response.end('{"ip":"203.0.113.7"}'))

const tests = consoleTests({
  env: { FLIGHTDECK_EGRESS_ALLOW: '127.0.0.0/8', FLIGHTDECK_PROXY_CHECK_URL: behind.url },
})

const credentials = { username: 'uma', password: 'hunter2-very-secret' }

async function proxyServer() {
  const server = await openHttpProxy({ credentials })
  onTestFinished(server.close)
  return { protocol: 'http', host: server.host, port: server.port }
}

test('a proxy is created and checked, and its credentials are shown on demand', async () => {
  const { host, port } = await proxyServer()
  const { page, client } = await tests.open({ path: '/proxies' })
  await page.getByText('No proxies yet').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New proxy' }).first().click()
  await page.getByLabel('Name', { exact: false }).first().fill('Local')
  await page.getByLabel('Host').fill(host)
  await page.getByLabel('Port').fill(`${port}`)
  await page.getByLabel('User name').fill(credentials.username)
  await page.getByLabel('Password').fill(credentials.password)
  await page.getByRole('dialog').getByLabel('Country').selectOption('Germany')
  await expectAccessible(page)
  const kept = await page.evaluate(() => JSON.stringify(localStorage))
  expect(kept).toContain(host)
  expect(kept).not.toContain(credentials.password)
  await page.getByRole('button', { name: 'Create proxy' }).click()
  await page.getByRole('heading', { name: 'Local', level: 1 }).waitFor()

  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('The check succeeded').waitFor()
  await page.getByText('203.0.113.7').waitFor()
  await page.getByRole('cell', { name: 'Healthy' }).waitFor()

  expect(await page.getByText(credentials.password).count()).toBe(0)
  await page.getByRole('button', { name: 'Reveal credentials…' }).click()
  await page.getByLabel('Reason').fill('To set up the browser')
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Reveal credentials' }).click()
  await page.getByText(credentials.password).waitFor()
  await expectAccessible(page)
  await screens(page).getByRole('link', { name: 'Proxies' }).click()
  await page.getByRole('heading', { name: 'Proxies', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Local' }).click()
  await page.getByRole('button', { name: 'Reveal credentials…' }).waitFor()
  expect(await page.getByText(credentials.password).count()).toBe(0)
  const records = (await client.get('/audit_logs?action=proxy.credentials_revealed')).json().data
  expect(records).toMatchObject([{ reason: 'To set up the browser' }])
})

test('another host clears the stored password, and the form says so', async () => {
  const organization = await tests.world().organization()
  const server = await proxyServer()
  const made = (await organization.owner.post('/proxies', { ...server, ...credentials })).json()
  const { page } = await tests.open({ organization, path: `/proxies/${made.id}?open=edit` })
  await page.getByLabel('Host').fill('127.0.0.2')
  await page.getByText('The stored password will be cleared.').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Password').first().fill('another')
  expect(await page.getByText('The stored password will be cleared.').count()).toBe(0)
  await page.getByLabel('Password').first().fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('http://127.0.0.2').first().waitFor()
  const stored = (await organization.owner.get(`/proxies/${made.id}`)).json()
  expect(stored).toMatchObject({ host: '127.0.0.2', username: 'uma', has_password: false })
})

test('a proxy that fails says why, and is disabled', async () => {
  const dead = await openRawProxy((socket) => socket.destroy())
  onTestFinished(dead.close)
  const organization = await tests.world().organization()
  const body = { name: 'Dead', protocol: 'http', host: dead.host, port: dead.port }
  const made = (await organization.owner.post('/proxies', body)).json()
  const { page } = await tests.open({ organization, path: `/proxies/${made.id}` })
  await page.getByText('Not checked yet.').waitFor()
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('The check failed').waitFor()
  await page.getByRole('cell', { name: 'Degraded' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await page.getByText('Dead is disabled').waitFor()
  expect((await organization.owner.get(`/proxies/${made.id}`)).json().enabled).toBe(false)
})

test('a proxy in use is not deleted: what uses it is named, and leads there', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const made = (await owner.post('/proxies', { ...(await proxyServer()), name: 'Used' })).json()
  const profile = (await owner.post('/profiles', { name: 'Fabrikam', proxy_id: made.id })).json()
  const { page } = await tests.open({ organization, path: `/proxies/${made.id}` })
  tests.expectComplaint(/409/)
  await page.getByRole('cell', { name: 'Fabrikam' }).waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete proxy' }).click()
  await page.getByText('1 profile refers to it').waitFor()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('link', { name: 'Fabrikam' }).click()
  await page.getByRole('heading', { name: 'Fabrikam', level: 1 }).waitFor()

  await owner.patch(`/profiles/${profile.id}`, { proxy_id: null })
  await page.goto(`${tests.origin()}/console/proxies/${made.id}?open=delete`)
  await page.getByRole('button', { name: 'Delete proxy' }).click()
  await page.getByText('Used is deleted').waitFor()
})

test('proxies are filtered in the address, and shown on a narrow screen', async () => {
  const organization = await tests.world().organization()
  for (const name of ['Frankfurt', 'Berlin']) {
    const body = { name, protocol: 'https', host: `${name}.example.net`, port: 8443, country: 'DE' }
    await organization.owner.post('/proxies', body)
  }
  const { page } = await tests.open({ organization, path: '/proxies?q=frank', width: 360 })
  await page.getByRole('link', { name: 'Frankfurt' }).waitFor()
  expect(await page.getByRole('link', { name: 'Berlin' }).count()).toBe(0)
  await expectAccessible(page)
  await page.getByLabel('Status').selectOption('failing')
  await page.getByText('No proxy matches').waitFor()
  expect(page.url()).toContain('status=failing')
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('link', { name: 'Berlin' }).waitFor()
})

test('a viewer sees proxies without their secrets, and why nothing can be done', async () => {
  const organization = await tests.world().organization()
  const made = await organization.owner.post('/proxies', {
    ...(await proxyServer()),
    ...credentials,
    name: 'Local',
  })
  const path = `/proxies/${made.json().id}`
  const { page } = await tests.open({ organization, path, role: 'viewer' })
  for (const name of ['Check now', 'Edit', 'Reveal credentials…']) {
    const button = page.getByRole('button', { name })
    expect(await button.getAttribute('aria-disabled')).toBe('true')
  }
  expect(await page.getByText('uma').count()).toBe(0)
  expect(await page.getByText('Timeline').count()).toBe(0)
  await expectAccessible(page)
})
