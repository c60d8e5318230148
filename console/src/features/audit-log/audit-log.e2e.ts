import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { makeCheckpoints } from '../../../../server/src/features/audit-logs/checkpointing.ts'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

test('a record shows what was changed, before and after', async () => {
  const organization = await tests.world().organization({ name: 'Before' })
  const headers = { 'x-audit-reason': 'New brand' }
  await organization.owner.patch('/organization', { name: 'After' }, headers)
  const { page } = await tests.open({ organization, path: '/audit-log', role: 'auditor' })
  await page.getByRole('cell', { name: 'New brand' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'organization.updated' }).click()
  const changes = page.getByRole('table', { name: 'What was changed' })
  await changes.getByRole('row', { name: 'Name Before After' }).waitFor()
  await page.getByText('PATCH /api/v1/organization').waitFor()
  await expectAccessible(page)
  // The address says which record is open.
  await page.reload()
  await changes.waitFor()
})

test('filters stand in the address, and the export takes them', async () => {
  const organization = await tests.world().organization()
  await organization.owner.patch('/organization', { name: 'Renamed' })
  const { page } = await tests.open({ organization, path: '/audit-log' })
  await page.getByLabel('Action', { exact: true }).fill('organization.*')
  await expect.poll(() => page.url()).toContain('action=organization.*')
  await expect.poll(() => page.getByText('auth.login_succeeded').count()).toBe(0)
  await page.getByRole('link', { name: 'organization.updated' }).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /NDJSON/ }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^audit_logs_org_.*\.ndjson$/)
  const lines = (await text(await file.createReadStream())).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).action)).toEqual([
    'organization.created',
    'organization.updated',
  ])
  await page.getByLabel('Outcome').selectOption('failed')
  await page.getByText('No record matches').waitFor()
  await expectAccessible(page)
})

test('records of change sets are found by their kind of object', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const profile = (await owner.post('/profiles', { name: 'Fabrikam' })).json()
  const operations = [{ op: 'update', id: profile.id, body: { notes: 'Moved' } }]
  await owner.post('/change_sets', { title: 'Notes', operations })
  const { page } = await tests.open({ organization, path: '/audit-log' })
  await page.getByRole('link', { name: 'profile.created' }).waitFor()
  await page.getByLabel('Object', { exact: true }).selectOption('change_set')
  await page.getByRole('link', { name: 'change_set.created' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'profile.created' }).count()).toBe(0)
})

test('the chain and its checkpoints are verified in the browser, and by the service', async () => {
  const organization = await tests.world().organization()
  for (const name of ['Grün', '日本', '"quoted"']) {
    await organization.owner.patch('/organization', { name })
  }
  await makeCheckpoints(tests.world().services, AbortSignal.timeout(10_000))
  const { page } = await tests.open({ organization, path: '/audit-log/verify' })
  await page.getByRole('cell', { name: /^key_/ }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Verify here' }).click()
  // With the record of the export itself.
  await page.getByText('Intact: records 1 to 7').waitFor()
  await page.getByText('1 checkpoint signed by a published key.').waitFor()
  await page.getByRole('button', { name: 'Ask the service' }).click()
  await page.getByText('Intact: records 1 to 7').nth(1).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Verify here' }).click()
  await page.getByText(/It continues the log that this browser verified up to no. 7/).waitFor()
})

test('a record that was changed on its way is found in the browser', async () => {
  const organization = await tests.world().organization()
  await organization.owner.patch('/organization', { name: 'Honest' })
  const { page, client } = await tests.open({ organization, path: '/audit-log/verify' })
  await page.route('**/audit_logs/export?*', async (route) => {
    const { body } = await client.get('/audit_logs/export')
    await route.fulfill({ body: body.replace('"Honest"', '"Forged"') })
  })
  await page.getByRole('button', { name: 'Verify here' }).click()
  await page.getByText('Broken at record 4').waitFor()
  await expectAccessible(page)
})

test('a log that was cut off behind a checkpoint, or rewritten since, is found', async () => {
  const organization = await tests.world().organization()
  await organization.owner.patch('/organization', { name: 'Last' })
  await makeCheckpoints(tests.world().services, AbortSignal.timeout(10_000))
  const { page, client } = await tests.open({ organization, path: '/audit-log/verify' })
  await page.route('**/audit_logs/export?*', async (route) => {
    const lines = (await client.get('/audit_logs/export')).body.split('\n')
    await route.fulfill({ body: `${lines.slice(0, 3).join('\n')}\n` })
  })
  await page.getByRole('button', { name: 'Verify here' }).click()
  await page.getByText('Broken at record 4').waitFor()
})

test.for(['editor', 'viewer'] as const)('an %s has no audit log', async (role) => {
  const { page } = await tests.open({ path: '/account', role })
  expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
  tests.expectComplaint(/403/)
  await page.goto(`${tests.origin()}/console/audit-log`)
  await page.getByRole('alert').waitFor()
})
