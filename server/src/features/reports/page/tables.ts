/** Figures of a report as tables. Pure. */

import { type Html, html } from '../../../values/markup/html.ts'
import type { ClientPacing } from '../../campaigns/client-pacing/schema.ts'
import type { ResultGroup } from '../../results/summary/result-group.ts'
import { amountText, countText, percentText } from '../data/money.ts'
import type { DailyAmount, ReportChange, ReportScheduled } from '../data/schema.ts'

type Cell = string | null

const none = '–'

/** Columns of words; the others have figures. */
const wordy = new Set(['What', 'Of', 'Why', 'Status'])

export function tableOf(heads: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  if (rows.length === 0) return html`<p class="soft">Nothing.</p>\n`
  const look = (at: number) => (wordy.has(heads[at] ?? '') ? html` class="text"` : html``)
  return html`<div class="wide" tabindex="0"><table><thead><tr>${heads.map((head, at) => html`<th scope="col"${look(at)}>${head}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell, at) => html`<td${look(at)}>${cell ?? none}</td>`)}</tr>\n`)}</tbody></table></div>\n`
}

const figureHeads = [
  'Spend',
  'Impressions',
  'Clicks',
  'CTR',
  'Conversions',
  'Per conversion',
  'ROAS',
]

const figuresOf = (row: ResultGroup): Cell[] => [
  row.spend_minor === null ? null : amountText(row.spend_minor, row.currency),
  row.impressions === null ? null : countText(row.impressions),
  row.clicks === null ? null : countText(row.clicks),
  row.ctr === null ? null : `${countText(row.ctr * 100)} %`,
  row.conversions === null ? null : countText(row.conversions),
  row.cpa === null
    ? null
    : amountText(Math.round(row.cpa * 10 ** row.currency_exponent), row.currency),
  row.roas === null ? null : countText(row.roas),
]

type Column = { head: string; nameOf: (row: ResultGroup) => Cell; isCompared: boolean }

export function figureTable(
  rows: readonly ResultGroup[],
  { head, nameOf, isCompared }: Column,
): Html {
  const heads = [head, ...figureHeads, ...(isCompared ? ['Spend before', 'Change'] : [])]
  const before = (row: ResultGroup) => (isCompared ? beforeOf(row) : [])
  return tableOf(
    heads,
    rows.map((row) => [nameOf(row), ...figuresOf(row), ...before(row)]),
  )
}

function beforeOf({ previous, change, currency }: ResultGroup): Cell[] {
  const minor = previous?.spend_minor ?? null
  const share = change?.spend_minor ?? null
  const sign = share !== null && share > 0 ? '+' : ''
  return [
    minor === null ? null : amountText(minor, currency),
    share === null ? null : `${sign}${percentText(share)}`,
  ]
}

const amountOrNone = (minor: number | null, currency: string): Cell =>
  minor === null ? null : amountText(minor, currency)

export const planTable = (months: readonly ClientPacing[]): Html =>
  tableOf(
    ['Month', 'Budget', 'Planned', 'Spent'],
    months.map(({ month, currency, ...row }) => [
      month,
      amountOrNone(row.budget_minor, currency),
      amountOrNone(row.planned_minor, currency),
      amountOrNone(row.spent_minor, currency),
    ]),
  )

export const pacingTable = (months: readonly ClientPacing[]): Html =>
  tableOf(
    ['Month', 'Due by now', 'Spent', 'Projected', 'Status', 'Complete through'],
    months.map(({ month, currency, ...row }) => [
      month,
      amountOrNone(row.expected_minor, currency),
      amountOrNone(row.spent_minor, currency),
      amountOrNone(row.projected_minor, currency),
      row.status.replaceAll('_', ' '),
      row.complete_through,
    ]),
  )

const added = (amounts: readonly DailyAmount[]): string =>
  amounts
    .map(({ added_minor, currency }) => {
      const sign = added_minor > 0 ? '+' : '−'
      return `${sign}${amountText(Math.abs(added_minor), currency)}`
    })
    .join(', ')

const fromTo = (amounts: readonly DailyAmount[]): string =>
  amounts
    .map(({ before_minor, after_minor, currency }) => {
      return `${amountText(before_minor, currency)} → ${amountText(after_minor, currency)}`
    })
    .join(', ')

const moveNames: Readonly<Record<ReportChange['what'], string>> = {
  started: 'Started',
  resumed: 'Resumed',
  paused: 'Paused',
  ended: 'Ended',
  budget: 'Budget changed',
  several: 'Several changes',
}

const nameOrCount = (name: string | null, campaigns: number): string =>
  name ?? `${campaigns} ${campaigns === 1 ? 'campaign' : 'campaigns'}`

export const changeTable = (changes: readonly ReportChange[]): Html =>
  tableOf(
    ['Day', 'What', 'Of', 'A day', 'Added to a day', 'Why'],
    changes.map(({ day, what, name, campaigns, amounts, reason }) => [
      ...[day, moveNames[what], nameOrCount(name, campaigns)],
      ...[fromTo(amounts), added(amounts), reason],
    ]),
  )

const planNames: Readonly<Record<ReportScheduled['what'], string>> = {
  change_set: 'Changes',
  start: 'Starts',
  end: 'Ends',
}

export const scheduledTable = (scheduled: readonly ReportScheduled[]): Html =>
  tableOf(
    ['Day', 'What', 'Of', 'Added to a day'],
    scheduled.map(({ day, what, name, amounts }) => [day, planNames[what], name, added(amounts)]),
  )
