/**
 * Reports every CSV file of a folder: `node csv-folder.ts <folder>`. A file is called as its source,
 * `google_ads.csv` or `google_ads-2026-11.csv`. For files with other columns change `columns`.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ResultRow } from '@flightdeckhq/sdk'
import { report } from './connect.ts'

const columns = {
  campaign: 'Campaign ID',
  date: 'Day',
  spend: 'Cost',
  impressions: 'Impressions',
  clicks: 'Clicks',
  conversions: 'Conversions',
}

const [folder = 'reports'] = process.argv.slice(2)

for (const name of readdirSync(folder)
  .filter((each) => each.endsWith('.csv'))
  .sort()) {
  const path = join(folder, name)
  const source = name.replace(/(-.*)?\.csv$/, '')
  // A later download of the same days counts, whichever is reported first.
  await report({
    source,
    reportedAt: statSync(path).mtime,
    rows: rowsOf(readFileSync(path, 'utf8')),
  })
}

function rowsOf(text: string): ResultRow[] {
  const [header = [], ...lines] = text.trim().split(/\r?\n/).map(cellsOf)
  return lines.map((cells) => {
    const cell = (column: string) => cells[header.indexOf(column)]?.trim() ?? ''
    const count = (column: string) => (cell(column) === '' ? null : Number(cell(column)))
    return {
      external_id: cell(columns.campaign),
      date: cell(columns.date),
      // As text: amounts never pass through binary numbers.
      spend: cell(columns.spend).replaceAll(',', ''),
      impressions: count(columns.impressions),
      clicks: count(columns.clicks),
      conversions: cell(columns.conversions) || null,
    }
  })
}

/** The cells of a line, of which some may be in quotes. */
function cellsOf(line: string): string[] {
  const cells = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)
  return [...cells].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
}
