import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Ended, run, type Service, serve } from '../support/machines/command-line.ts'

// A service and `flightdeck results import`, each in its own process.
let home: string
let service: Service
let token = ''
let campaign: string

const account = { email: 'admin@example.com', password: 'correct horse battery staple' }

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-import-'))
  service = await serve(home, {
    FLIGHTDECK_ADMIN_EMAIL: account.email,
    FLIGHTDECK_ADMIN_PASSWORD: account.password,
  })
  token = (await call('POST', '/auth/login', account)).token
})
afterAll(async () => {
  await service.stop('SIGTERM')
  await rm(home, { recursive: true, force: true })
})

let count = 0

beforeEach(async () => {
  count += 1
  const { id: profile_id } = await call('POST', '/profiles', { name: 'Main', currency: 'USD' })
  const fields = { name: 'A', objective: 'sales', daily_budget: 5, external_id: `nw-${count}` }
  campaign = (await call('POST', '/campaigns', { ...fields, profile_id })).id
})

type Json = {
  id: string
  profile_id: string
  token: string
  data: { date: string; spend: number; is_final: boolean }[]
}

async function call(method: string, path: string, body?: object): Promise<Json> {
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const request = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  return (await fetch(`${service.url}/api/v1${path}`, request)).json() as Promise<Json>
}

const range = 'from=2025-09-01&to=2025-10-01'
const stored = async () => (await call('GET', `/campaigns/${campaign}/results?${range}`)).data

async function importing(text: string, ...args: string[]): Promise<Ended> {
  const file = join(home, 'report.csv')
  await writeFile(file, text)
  const common = ['--source', 'google_ads', '--url', service.url, '--token', token]
  return run(home, ['results', 'import', file, ...common, ...args])
}

const map = ['--map', 'Campaign ID=external_id,Day=date,Cost=spend,Impr.=impressions']

test('a file with columns of its own is stored, and a second time changes nothing', async () => {
  const text = [
    'Day,Campaign ID,Campaign,Cost,Impr.,clicks',
    `2025-09-01,nw-${count},"Spring, 2025",12.50,"1,200",7`,
    `2025-09-02,nw-${count},"Spring, 2025","1,012.50",,`,
  ].join('\r\n')
  const first = await importing(text, ...map, '--final')
  expect(first).toMatchObject({ code: 0, stdout: '2 rows: 2 new.\n' })
  expect(await stored()).toMatchObject([
    { date: '2025-09-01', spend: 12.5, impressions: 1200, clicks: 7, is_final: true },
    { date: '2025-09-02', spend: 1012.5, impressions: null, clicks: null },
  ])
  const again = await importing(text, ...map, '--final', '--json')
  expect(JSON.parse(again.stdout)).toMatchObject({
    rows: 2,
    stored: true,
    counts: { unchanged: 2 },
    faults: [],
    rejected: null,
  })
})

test('other days, numbers and separators are read where they read one way only', async () => {
  const text = `campaign_id;date;spend\n${campaign};05.09.2025;1.012,5\n`
  const read = await importing(text)
  expect(read.stdout).toBe('Days are read as DD.MM.YYYY.\n1 row: 1 new.\n')
  expect(await stored()).toMatchObject([{ date: '2025-09-05', spend: 1012.5 }])
})

test('days and numbers that read two ways are refused until it is said how they are written', async () => {
  const text = `campaign_id,date,spend\n${campaign},04/09/2025,"1,500"\n`
  const { code, stdout } = await importing(text)
  expect([code, stdout.split('\n')]).toEqual([
    1,
    [
      'Days are read as MM/DD/YYYY.',
      `line 2, date: reads two ways: 2025-04-09 or 2025-09-04: "04/09/2025" (${campaign})`,
      `line 2, spend: reads two ways: 1500 or 1.500: "1,500" (${campaign})`,
      'Say how numbers are written: --decimal . or --decimal ,',
      'Say how days are written, such as --date-format DD/MM/YYYY',
      'Nothing is stored: 2 faults in 1 row.',
      '',
    ],
  ])
  const notation = ['--date-format', 'DD/MM/YYYY', '--decimal', '.']
  expect((await importing(text, ...notation)).code).toBe(0)
  expect(await stored()).toMatchObject([{ date: '2025-09-04', spend: 1500 }])
})

const export_ = (id: string) =>
  [
    'Campaign report',
    '"September 1, 2025 - September 2, 2025"',
    'Day,Campaign ID,Campaign,Currency code,Cost,Impr.,Clicks',
    `2025-09-01,${id},Autumn,USD,"1,012.50","46,803",300`,
    `2025-09-02,${id},Autumn,USD, --,12,3`,
    `2025-09-03,${id},Autumn,EUR,7.10,12,3`,
    'Total: Account, --, --,USD,"1,019.60","46,815",306',
  ].join('\n')

test('the export of a network is read as it is; what has faults comes back, and is mended', async () => {
  const text = export_(`nw-${count}`)
  const refused = await importing(text)
  expect([refused.code, refused.stdout.split('\n')]).toEqual([
    1,
    [
      'Header found on line 3; 2 title lines skipped.',
      'It looks like an export of Google Ads.',
      'Columns: Campaign ID as external_id, Campaign as campaign_name, Day as date, Cost as spend, Currency code as currency, Impr. as impressions, Clicks as clicks.',
      'line 5, Cost: is empty: "--" (Autumn)',
      'line 6, Currency code: is in EUR, and the campaign in USD: "EUR" (Autumn)',
      'line 7: looks like a row of totals: "Total: Account"',
      'Rows of totals are left out with --skip-totals',
      'Nothing is stored: 3 faults in 4 rows. --rejected <file> would store the other 1.',
      '',
    ],
  ])
  const rejected = join(home, 'rejected.csv')
  const partly = await importing(text, '--preset', 'google_ads', '--rejected', rejected)
  expect(partly.stdout).toContain('line 7 skipped: Total: Account\n')
  expect(partly.stdout).toContain(`1 row: 1 new. 2 rows written to ${rejected}.\n`)
  expect(partly.code).toBe(1)
  expect(await stored()).toMatchObject([{ date: '2025-09-01', spend: 1012.5, impressions: 46_803 }])

  const back = await readFile(rejected, 'utf8')
  expect(back).toContain('Clicks,Reason')
  const mended = back.replace('--', '5.10').replace(',EUR,', ',USD,')
  const again = await importing(mended, '--preset', 'google_ads', '--header-line', '3')
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('2 rows: 2 new.') })
  expect(await stored()).toMatchObject([{}, { spend: 5.1 }, { spend: 7.1 }])
})

test('a wrong line of the header is answered with the likely one', async () => {
  const { code, stderr } = await importing(export_('nw-1'), '--header-line', '2')
  expect([code, stderr]).toEqual([2, expect.stringContaining('--header-line 3')])
})

test('a campaign is found by its name, and one of several is not guessed', async () => {
  const text = 'Day,Campaign,Cost\n2025-09-01,%,1\n'
  const named = (name: string) => importing(text.replace('%', name))
  const only = `Only ${count}`
  await call('PATCH', `/campaigns/${campaign}`, { name: only })
  expect(await named(only.toUpperCase())).toMatchObject({ code: 0 })
  expect((await named(`Only ${count} one`)).stdout).toContain(`there is “${only}”`)
  const { profile_id } = await call('GET', `/campaigns/${campaign}`)
  const twin = { name: only, objective: 'sales', daily_budget: 5, profile_id }
  await call('POST', '/campaigns', twin)
  expect((await named(only)).stdout).toContain('is the name of 2 campaigns (cmp_')
})

test('while a row has a fault nothing is stored, and each fault names its line', async () => {
  const text = [
    'campaign_id,date,spend,clicks,impressions',
    `${campaign},2025-09-01,1,1,2`,
    `${campaign},2025-09-02,1.234,1,2`,
    `${campaign},2025-09-03,1,3,2`,
    'cmp_01m7yez275fk1a52pr5qevn8kn,2025-09-03,1,1,2',
    `${campaign},2199-01-01,1,1,2`,
  ].join('\n')
  const { code, stdout } = await importing(text)
  expect([code, stdout.split('\n').map((line) => line.replace(/:.*/, ''))]).toEqual([
    1,
    [
      'line 3, spend',
      'line 4, clicks',
      'line 5, campaign_id',
      'line 6, date',
      'Nothing is stored',
      '',
    ],
  ])
  const twice = `campaign_id,date,spend\n${`${campaign},2025-09-01,1\n`.repeat(2)}`
  expect((await importing(twice)).stdout).toContain('line 3: has the same campaign and day')
  expect(await stored()).toEqual([])
})

test('a dry run shows what would become of the rows', async () => {
  const text = `campaign_id,date,spend\n${campaign},2025-09-01,1\n`
  const { stdout } = await importing(text, '--dry-run')
  expect(stdout).toBe('Nothing is stored: of 1 row, 1 new would be.\n')
  expect(await stored()).toEqual([])
})

test('an export can be imported as it is', async () => {
  await importing(`campaign_id,date,spend\n${campaign},2025-09-01,1\n`)
  const headers = { authorization: `Bearer ${token}` }
  const search = `${range}&format=csv&campaign_id=${campaign}`
  const file = await fetch(`${service.url}/api/v1/results/export?${search}`, { headers })
  expect((await importing(await file.text())).stdout).toBe('1 row: 1 unchanged.\n')
})

test.each([
  [['--map', 'Costs=spend'], 'The file has no column "Costs"; did you mean "Cost"?'],
  [['--map', 'Cost=spent'], '--map: "spent" is no field of a row; did you mean spend?'],
  [['--map', 'Cost'], '--map takes pairs such as "Cost=spend", not "Cost".'],
  [['--map', 'Cost=spend'], 'No column has campaign_id, external_id or campaign_name, or date.'],
  [['--header-line', 'three'], '--header-line takes the number of a line'],
  [['--preset', 'bing'], '--preset takes google_ads, meta'],
  [['--date-format', 'yesterday'], '--date-format takes YYYY, MM and DD'],
  [['--complete-through', '2025-09-31'], '--complete-through takes a day'],
  [['--reported-at', 'noon'], '--reported-at takes a time'],
])('%j is a wrong use', async (args, message) => {
  const { code, stderr } = await importing('Cost,Day\n1,2025-09-01\n', ...args)
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})

test('without a file, or without the service, it says so', async () => {
  const common = ['--source', 'a', '--token', token]
  const missing = await run(home, ['results', 'import', 'none.csv', ...common])
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('none.csv cannot be') })
  const text = `campaign_id,date,spend\n${campaign},2025-09-01,1\n`
  const nowhere = await importing(text, '--url', 'http://127.0.0.1:9')
  expect(nowhere).toMatchObject({ code: 7, stderr: expect.stringContaining('gave no answer') })
})
