/** The figures of a report as one table: a row for each group of each section. */

import type { Streamed } from '../../../http/endpoint.ts'
import { csvOf } from '../../../query/csv.ts'
import type { Query } from '../../../query/list.ts'
import { choice } from '../../../schema/fields.ts'
import type { ResultGroup } from '../../results/summary/result-group.ts'
import type { ReportData } from './schema.ts'

const figures = [
  ...(['spend', 'adjustment', 'impressions', 'clicks', 'conversions', 'conversion_value'] as const),
  ...(['ctr', 'cpc', 'cpm', 'cpa', 'roas'] as const),
] as const

const columns = [
  ...['section', 'group', 'name', 'currency', ...figures, 'is_final'],
  ...figures.map((figure) => `previous_${figure}`),
].map((key) => ({ key, header: key }))

export const formatParameter = choice(['json', 'csv'], {
  default: 'json',
  description: 'File format.',
})

export const inFormat = (data: ReportData, { format }: Query): ReportData | Streamed =>
  format === 'csv' ? csvFileOf(data) : data

function csvFileOf({ report, period, sections }: ReportData): Streamed {
  const rows = sections.flatMap(({ kind, rows = [] }) => rows.map((row) => lineOf(kind, row)))
  const text = csvOf([columns.map(({ header }) => header)]) + csvOf(rows, columns)
  return {
    contentType: 'text/csv; charset=utf-8; header=present',
    fileName: `report_${report.id}_${period.from}_${period.to}.csv`,
    chunks: onlyChunk(text),
  }
}

async function* onlyChunk(text: string): AsyncGenerator<string> {
  yield text
}

const lineOf = (section: string, { previous, ...row }: ResultGroup) => ({
  ...row,
  section,
  ...Object.fromEntries(figures.map((name) => [`previous_${name}`, previous?.[name] ?? null])),
})
