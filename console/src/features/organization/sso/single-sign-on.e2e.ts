import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { domainOfTest } from '../../../../../server/test/support/cases/people/sso-cases.ts'
import {
  clientSecret,
  type Idp,
  openIdp,
} from '../../../../../server/test/support/clients/identity-provider.ts'
import { guard } from '../../../../../server/test/support/clients/second-factor.ts'
import { txtRecords } from '../../../../../server/test/support/clients/txt-records.ts'
import { password, type TestOrganization } from '../../../../../server/test/support/world.ts'
import { consoleTests, expectAccessible, screens, test } from '../../../../test/console.ts'

const tests = consoleTests({
  isNamed: true,
  env: { FLIGHTDECK_EGRESS_ALLOW: '127.0.0.1', FLIGHTDECK_WEBHOOK_ALLOW_HTTP: 'true' },
})

const path = '/organization/single-sign-on'

/** A real provider, which lets its person in unasked. */
async function provider(): Promise<Idp & AsyncDisposable> {
  align()
  const idp = await openIdp([`${tests.origin()}/api/v1/auth/sso/callback`])
  tests.expectComplaint(new RegExp(`request elsewhere: ${idp.issuer}/`))
  return Object.assign(idp, { [Symbol.asyncDispose]: idp.close })
}

/** The provider goes by the real time. */
const align = () => tests.world().clock.advance(Date.now() - tests.world().clock.now().getTime())

/** A new person of the provider. */
function personAt(idp: Idp, domain: string): string {
  const email = `ada@${domain}`
  const sub = `sub of ${email}`
  idp.accounts.set(sub, { sub, email, email_verified: true, name: 'Ada Lovelace' })
  idp.person = sub
  return email
}

/** Single sign-on with a proved domain, by the API. */
async function setUp(organization: TestOrganization, idp: Idp, more: object = {}) {
  const { owner } = organization
  const domain = domainOfTest(organization)
  const client = { issuer: idp.issuer, client_id: 'flightdeck', client_secret: clientSecret }
  const made = (await owner.put('/organization/sso', { ...client, domains: [domain] })).json()
  txtRecords.set(domain, [made.domain_proofs[0].txt_record])
  await owner.post(`/organization/sso/domains/${domain}/verify`)
  await owner.put('/organization/sso', more)
  return domain
}

async function logInBySso(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Single sign-on' }).click()
  await page.getByRole('button', { name: 'Log in with your organization’s account' }).click()
}

test('an owner sets single sign-on up, proves the domain, tests it, and a person logs in', async () => {
  await using idp = await provider()
  const organization = await tests.world().organization()
  const domain = domainOfTest(organization)
  const { page } = await tests.open({ organization, path: '/organization' })
  tests.expectComplaint(/40[49]|422/)
  await page.getByRole('navigation', { name: 'Organization' }).getByText('Single sign-on').click()
  await page.getByText('Not set up').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Set up single sign-on' }).click()
  await page.getByText(`${tests.origin()}/api/v1/auth/sso/callback`).waitFor()
  await page.getByRole('button', { name: 'Set up', exact: true }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Issuer').fill(idp.issuer)
  await page.getByLabel('Client id').fill('flightdeck')
  await page.getByLabel('Client secret').fill('not this one')
  await page.getByRole('textbox', { name: 'Domains' }).fill(domain)
  await page.getByLabel('Role claim').fill('groups')
  await page.getByRole('button', { name: 'Add a value' }).click()
  await page.getByLabel('Value 1', { exact: true }).fill('Marketing, EMEA')
  await page.getByLabel('Role of Marketing, EMEA').selectOption('Editor')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Set up', exact: true }).click()
  await page.getByText('Marketing, EMEA: Editor').waitFor()
  expect(await page.content()).not.toContain('not this one')

  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText('No domain is proved yet, so no address counts.').waitFor()
  await page.getByText('it refuses the client id or the client secret').waitFor()
  await expectAccessible(page)
  const check = page.getByRole('button', { name: `Check ${domain}` })
  await check.click()
  await page.getByText('It may take a while until a new one is seen.').waitFor()
  const [record = ''] = /flightdeck-verification=\w+/.exec(await page.innerText('main')) ?? []
  txtRecords.set(domain, [record])
  await check.click()
  await page.getByText('Proved by DNS').waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Client secret').fill(clientSecret)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText('It works: members of the proved domains can log in.').waitFor()
  await expectAccessible(page)

  const visitor = await tests.visit('/console/campaigns?status=draft')
  await logInBySso(visitor, personAt(idp, domain))
  await visitor.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor()
  expect(new URL(visitor.url()).search).toBe('?status=draft')
  await visitor.getByText('Ada Lovelace').waitFor()
})

test('the login says where an address leads, and where it leads nowhere', async () => {
  await using idp = await provider()
  const domain = await setUp(await tests.world().organization(), idp)
  const page = await tests.visit('/console')
  await page.getByRole('button', { name: 'Single sign-on' }).click()
  await expectAccessible(page)
  await page.getByLabel('Email').fill('ada@nowhere.example')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('There is no single sign-on for this address').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Email').fill(`ada@${domain}`)
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText(`Your organization logs you in at ${new URL(idp.issuer).host}.`).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Log in with a password' }).click()
  await page.getByLabel('Password').waitFor()
})

test('who may log in only so is led there from the password', async () => {
  await using idp = await provider()
  const organization = await tests.world().organization()
  await guard(tests.world(), organization.owner)
  const domain = await setUp(organization, idp, { enforced: true })
  const email = personAt(idp, domain)
  await organization.owner.post('/members', { email, name: 'Ada', role: 'editor', password })
  const page = await tests.visit('/console')
  tests.expectComplaint(/403/)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByText('Your organization asks for single sign-on').waitFor()
  await page.getByRole('button', { name: 'Log in with your organization’s account' }).click()
  await screens(page).waitFor()
})

test('what needs a recent login asks the provider again beside the screen', async () => {
  await using idp = await provider()
  const organization = await tests.world().organization()
  const domain = await setUp(organization, idp, { default_role: 'admin' })
  const page = await tests.visit('/console/members/invitations?open=new')
  const email = personAt(idp, domain)
  await logInBySso(page, email)
  // An address is taken once in the whole service, which the tests share.
  const invited = `grace-${randomUUID()}@example.com`
  await page.getByLabel('Email').fill(invited)
  tests.world().clock.advance(16 * 60_000)
  tests.expectComplaint(/403/)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByText('This needs a login of the last 15 minutes.').waitFor()
  align()
  await expectAccessible(page)
  const [beside] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: 'Log in with your organization’s account' }).click(),
  ])
  await page.getByText(`${invited} is invited`).waitFor()
  await expect.poll(() => beside.isClosed()).toBe(true)
  expect(idp.asked.at(-1)?.searchParams.get('max_age')).toBe('0')
})

test('a session that has ended is opened again beside the screen', async () => {
  await using idp = await provider()
  const organization = await tests.world().organization()
  const domain = await setUp(organization, idp, { default_role: 'editor' })
  const page = await tests.visit('/console/templates?open=new')
  await logInBySso(page, personAt(idp, domain))
  await page.getByLabel('Name of the template').fill('Typed before')
  const members = (await organization.owner.get('/members')).json().data
  const { id } = members.find(({ email }: { email: string }) => email.endsWith(domain))
  await organization.owner.patch(`/members/${id}`, { disabled: true })
  await organization.owner.patch(`/members/${id}`, { disabled: false })
  tests.expectComplaint(/401/)
  await page.getByRole('button', { name: 'Create template' }).dispatchEvent('click')
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
  await page.getByRole('button', { name: 'Log in with your organization’s account' }).click()
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor({ state: 'detached' })
  expect(await page.getByLabel('Name of the template').inputValue()).toBe('Typed before')
  expect(idp.asked.at(-1)?.searchParams.get('max_age')).toBe(null)
})

test('an owner removes it', async () => {
  await using idp = await provider()
  const organization = await tests.world().organization()
  await setUp(organization, idp)
  const { page, client } = await tests.open({ organization, path })
  tests.expectComplaint(/404/)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Remove…' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Not set up').waitFor()
  expect((await client.get('/organization/sso')).statusCode).toBe(404)
})

test('an admin neither sees nor reaches it', async () => {
  const { page } = await tests.open({ path: '/organization', role: 'admin' })
  tests.expectComplaint(/403/)
  const sections = page.getByRole('navigation', { name: 'Organization' })
  await sections.getByText('Notification channels').waitFor()
  expect(await sections.getByText('Single sign-on').count()).toBe(0)
  await page.goto(`${tests.origin()}/console${path}`)
  await page.getByRole('alert').waitFor()
})
