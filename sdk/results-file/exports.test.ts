import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import {
  type CampaignFacts,
  checkRows,
  columnsIn,
  type Network,
  networks,
  openResults,
  rejectedCsv,
} from '../src/results-file.ts'

// Made here, in the form in which the networks export.
const exported = (network: Network) =>
  readFile(new URL(`./exports/${network.replace('_', '-')}.csv`, import.meta.url))

const campaigns: readonly CampaignFacts[] = [
  { id: 'cmp_1', name: 'Headlamps – search', external_id: null, currency: 'USD' },
  { id: 'cmp_2', name: 'Tents – Shopping', external_id: null, currency: 'USD' },
]

async function read(network: Network) {
  const file = openResults(await exported(network))
  const reading = { columns: file.columns, dateFormat: null, decimal: null, skipTotals: true }
  return { file, checked: checkRows(file, reading, campaigns) }
}

const first = {
  google_ads: ['2026-11-20', '1110.42', 12_480, 411, '12.50', '2431.00'],
  meta: ['2026-11-20', '101.42', 14_200, 318, '9', '1170.5'],
  tiktok: ['2026-11-20', '88.12', 21_388, 419, '7', undefined],
  microsoft: ['2026-11-20', '40.61', 4_102, 131, '3', '411.00'],
  linkedin: ['2026-11-02', '150.25', 9_120, 88, '2', '300'],
}

test.each(networks)('an export of %s is read as it is', async (network) => {
  const { file, checked } = await read(network)
  expect(file.network).toBe(network)
  expect(checked.faults).toEqual([])
  const [day] = checked.days
  const row = day?.row
  expect([
    ...[row?.date, row?.spend, row?.impressions],
    ...[row?.clicks, row?.conversions, row?.conversion_value],
  ]).toEqual(first[network])
  const ids = checked.days.map(({ campaign }) => campaign.id)
  expect(new Set(ids)).toEqual(new Set(['cmp_1', 'cmp_2']))
})

test.each<[Network, number, string[]]>([
  ['google_ads', 2, ['8 Total: Campaigns', '9 Total: Account']],
  ['meta', 0, ['2 24']],
  ['tiktok', 0, ['5 Total of 3 results']],
  ['microsoft', 10, ['15 Total', '17 ©2026 Microsoft Corporation. All rights reserved.']],
  ['linkedin', 4, []],
])(
  'of %s the header is found below %i lines, and totals are left out',
  async (network, lines, skipped) => {
    const { file, checked } = await read(network)
    expect(file.titleLines).toBe(lines)
    expect(checked.skipped.map(({ line, text }) => `${line} ${text}`)).toEqual(skipped)
  },
)

const opened = (text: string) => openResults(new TextEncoder().encode(text))

function check(text: string, more: object = {}, known = campaigns) {
  const file = opened(text)
  const reading = { columns: file.columns, dateFormat: null, decimal: null, skipTotals: true }
  const checked = checkRows(file, { ...reading, ...more }, known)
  const faults = checked.faults.map(
    ({ line, column, value, message }) => `${line} ${column} "${value}" ${message}`,
  )
  return { ...checked, file, texts: faults, spends: checked.days.map(({ row }) => row.spend) }
}

const head = 'Day,Campaign,Cost,Clicks'
const rows = (...cells: string[]) =>
  [head, ...cells.map((cell, at) => `2026-11-${at + 10},Headlamps – search,${cell}`)].join('\n')

describe('amounts', () => {
  test.each([
    ['"1,500",10', '"1,500"', '1500 or 1.500'],
    ['1.500,10', '"1.500"', '1.500 or 1500'],
    ['"$1,500",10', '"$1,500"', '1500 or 1.500'],
  ])('that read two ways are faults: %s', (cells, value, readings) => {
    expect(check(rows(cells)).texts).toEqual([`2 Cost ${value} reads two ways: ${readings}`])
  })

  test.each([
    ['what the file proves', ['"1,500",10', '12.50,10'], ['1500', '12.50']],
    ['what counts prove', ['"1,500",10', '3,"1,234"'], ['1500', '3']],
    ['a comma before decimals', ['"1.500,00",10', '"2.750",10'], ['1500.00', '2750']],
    ['spaces and apostrophes between groups', ["1'234.50,1", '1 234.50,1'], ['1234.50', '1234.50']],
    [
      'symbols, codes and signs',
      ['$12.50,1', '12.50 USD,1', '(3.25),1'],
      ['12.50', '12.50', '-3.25'],
    ],
    ['groups of Indian amounts', ['"1,23,456.50",1'], ['123456.50']],
  ])('are read by %s', (_, cells, spends) => {
    const { texts, spends: read } = check(rows(...cells))
    expect([texts, read]).toEqual([[], spends])
  })

  test('are read by the sign that is named', () => {
    expect(check(rows('"1,500",10'), { decimal: '.' }).spends).toEqual(['1500'])
    expect(check(rows('"1,500",10'), { decimal: ',' }).spends).toEqual(['1.500'])
    expect(check(rows('12.50,10'), { decimal: ',' }).texts).toEqual([
      '2 Cost "12.50" is not a number',
    ])
  })

  test('of columns with the names of fields have a point before decimals, as programs write', () => {
    const text = 'date,campaign_name,spend\n2026-11-20,Headlamps – search,%\n'
    expect(check(text.replace('%', '10.125')).spends).toEqual(['10.125'])
    expect(check(text.replace('%', '"1,500"')).texts[0]).toContain('reads two ways')
  })

  test('of a file with both signs are each read alone', () => {
    const { texts, spends } = check(rows('12.50,1', '"12,50",1', '"1,500",1'))
    expect(spends).toEqual(['12.50', '12.50'])
    expect(texts).toEqual(['4 Cost "1,500" reads two ways: 1500 or 1.500'])
  })

  test.each([
    ['€12.50,1', 'Cost "€12.50" is in EUR'],
    ['12.50 CAD,1', 'Cost "12.50 CAD" is in CAD'],
    ['n/a,1', 'Cost "n/a" is not a number'],
    ['--,1', 'Cost "--" is empty'],
    ['1,10.5', 'Clicks "10.5" is not a whole number'],
  ])('that are none of the campaign are faults: %s', (cells, text) => {
    expect(check(rows(cells)).texts[0]).toContain(text)
  })

  test('of a column with a currency are compared with that of the campaign', () => {
    const text = 'Day,Campaign name,Amount spent (EUR)\n2026-11-20,Headlamps – search,5\n'
    expect(check(text).texts).toEqual([
      '2 Amount spent (EUR) "5" is in EUR, and the campaign in USD',
    ])
    const coded = 'Day,Campaign,Currency code,Cost\n2026-11-20,Headlamps – search,GBP,5\n'
    expect(check(coded).texts).toEqual(['2 Currency code "GBP" is in GBP, and the campaign in USD'])
  })
})

describe('days', () => {
  const days = (...cells: string[]) =>
    ['Date,Campaign,Spend', ...cells.map((cell) => `"${cell}",Headlamps – search,1`)].join('\n')

  test.each([
    [
      ['22.11.2026', '1.11.2026'],
      ['2026-11-22', '2026-11-01'],
    ],
    [
      ['11/22/2026', '11/02/2026'],
      ['2026-11-22', '2026-11-02'],
    ],
    [
      ['22/11/2026', '02/11/2026'],
      ['2026-11-22', '2026-11-02'],
    ],
    [['Nov 22, 2026'], ['2026-11-22']],
    [
      ['Sun, Nov 22, 2026', 'Nov 1, 2026'],
      ['2026-11-22', '2026-11-01'],
    ],
    [['22 November 2026'], ['2026-11-22']],
    [['2026-11-22T00:00:00Z'], ['2026-11-22']],
    [['11/11/2026'], ['2026-11-11']],
  ])('%j are read by what all of them can be', (cells, expected) => {
    const { texts, days: read } = check(days(...cells))
    expect([texts, read.map(({ row }) => row.date)]).toEqual([[], expected])
  })

  test('that read two ways are faults, unless the format is named', () => {
    expect(check(days('03/04/2026')).texts).toEqual([
      '2 Date "03/04/2026" reads two ways: 2026-03-04 or 2026-04-03',
    ])
    const named = check(days('03/04/2026'), { dateFormat: 'DD/MM/YYYY' })
    expect(named.days.map(({ row }) => row.date)).toEqual(['2026-04-03'])
  })

  test('and other texts are faults beside those that are right', () => {
    expect(check(days('2026-11-20', 'soon', '2026-02-30')).texts).toEqual([
      '3 Date "soon" is not a day written as YYYY-MM-DD',
      '4 Date "2026-02-30" is not a day written as YYYY-MM-DD',
    ])
  })

  test('of a row over several days are faults', () => {
    const text =
      'Campaign name,Amount spent (USD),Reporting starts,Reporting ends\nHeadlamps – search,5,2026-11-01,2026-11-07\n'
    expect(check(text).texts[0]).toContain('is another day: export one row for each day')
  })

  test('that several rows have are stored by none of them', () => {
    const { texts, spends } = check(`${rows('1,1')}\n2026-11-10,headlamps – search,2,1\n`)
    expect(spends).toEqual([])
    expect(texts).toEqual([
      '2 null "null" has the same campaign and day as line 3: add them up first',
      '3 null "null" has the same campaign and day as line 2: add them up first',
    ])
  })
})

describe('campaigns', () => {
  const id = 'cmp_01m7yez275fk1a52pr5qevn8kn'
  const known = [
    { id, name: 'Spring sale', external_id: 'nw-1', currency: 'USD' },
    {
      id: 'cmp_01m7yez275fk1a52pr5qevn8kp',
      name: 'Autumn sale',
      external_id: null,
      currency: 'USD',
    },
    {
      id: 'cmp_01m7yez275fk1a52pr5qevn8kq',
      name: 'Autumn sale',
      external_id: null,
      currency: 'USD',
    },
  ]
  const file = (row: string) => `Day,Campaign ID,Campaign,Cost\n2026-11-20,${row},1\n`

  test.each([`${id},`, `,${id}`, `nw-1,`, `77,SPRING  sale`, `77,Spring [${id}]`, `${id},Other`])(
    'are found by an id of ours, an external id, or the name: %s',
    (row) => {
      const { texts, days } = check(file(row), {}, known)
      expect([texts, days.map(({ campaign }) => campaign.id)]).toEqual([[], [id]])
    },
  )

  test.each([
    [
      ',Autumn sale',
      'Campaign "Autumn sale" is the name of 2 campaigns (cmp_01m7yez275fk1a52pr5qevn8kp, cmp_01m7yez275fk1a52pr5qevn8kq)',
    ],
    [',Spring sales week', 'Campaign "Spring sales week" is the name of no campaign'],
    [',Spring sale 2', 'there is “Spring sale”'],
    ['nw-9,', 'Campaign ID "nw-9" is the id of no campaign'],
    [',', 'Campaign ID "" is empty'],
    ['cmp_01m7yez275fk1a52pr5qevn8kx,', 'is no campaign here'],
  ])('that are not known, or are several, are faults: %s', (row, text) => {
    const { texts, days } = check(file(row), {}, known)
    expect(days).toEqual([])
    expect(texts.join()).toContain(text)
  })
})

test('a file of foreign names is refused quickly, whatever the number of campaigns', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => {
    return { id: `cmp_${at}`, name: `Brand ${at} – search`, external_id: null, currency: 'USD' }
  })
  const foreign = Array.from({ length: 5_000 }, (_, at) => `2026-11-20,Marke ${at} – search,1,1`)
  const begun = performance.now()
  const { faults } = check([head, ...foreign].join('\n'), {}, many)
  expect(faults).toHaveLength(5_000)
  expect(faults[0]?.message).toContain('there is “Brand 0 – search”')
  // It took a minute where each name was compared with all.
  expect(performance.now() - begun).toBeLessThan(5_000)
})

test('what is rejected comes back with its reasons, and can be imported once it is mended', async () => {
  const bytes = await exported('google_ads')
  const broken = bytes
    .toString()
    .replace('Tents – shopping,Enabled', 'Tends,Enabled')
    .replace(',112.07,', ',n/a,')
  const { file, faults } = check(broken)
  const back = rejectedCsv(file, faults)
  expect(back).toContain('Campaign performance report\n')
  expect(back).toContain('Cost is not a number')
  const again = check(back)
  expect(again.file.titleLines).toBe(2)
  expect(again.faults.map(({ message }) => message)).toEqual(faults.map(({ message }) => message))
  const mended = check(back.replace('Tends', 'Tents – shopping').replace(',n/a,', ',112.07,'))
  expect(mended.texts).toEqual([])
  expect(mended.days).toHaveLength(2)
})

test('a total is a fault where totals are not skipped', () => {
  const { texts } = check(`${rows('1,1')}\nTotal,--,1,1\n`, { skipTotals: false })
  expect(texts).toEqual(['3 null "Total" looks like a row of totals'])
})

test('a campaign that is called a total is none', () => {
  const known = [{ id: 'cmp_3', name: 'Total Wine – brand', external_id: null, currency: 'USD' }]
  expect(check(`${head}\n2026-11-20,Total Wine – brand,1,1`, {}, known).spends).toEqual(['1'])
})

test('files of other encodings and signs are read', () => {
  const text = 'Date;Campaign;Cost\n22.11.2026;Café;1,50\n'
  const known = [{ id: 'cmp_3', name: 'Café', external_id: null, currency: 'EUR' }]
  const file = openResults(new Uint8Array(Buffer.from(text, 'latin1')))
  expect([file.encoding, file.delimiter]).toEqual(['Windows-1252', ';'])
  const reading = { columns: file.columns, dateFormat: null, decimal: null, skipTotals: true }
  expect(checkRows(file, reading, known).days[0]?.row).toMatchObject({ spend: '1.50' })
})

test('fields are known by their own names first', () => {
  expect(columnsIn(['Cost', 'spend', 'date', 'campaign_id', 'Day'], null)).toEqual({
    spend: 1,
    date: 2,
    campaign_id: 3,
  })
})

test('a file without rows is refused', () => {
  expect(() => opened('Day,Campaign,Cost\n')).toThrow('The file has no rows.')
})
