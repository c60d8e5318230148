/** A report as a page. Shows no id and no name of a person; all texts are escaped. Pure. */

import { type Html, html } from '../../../values/markup/html.ts'
import { platformNames, platforms } from '../../profiles/schema.ts'
import { daysAfter } from '../../results/calendar.ts'
import type { ResultGroup } from '../../results/summary/result-group.ts'
import type { ReportData, ReportSection } from '../data/schema.ts'
import { chartOf } from './chart.ts'
import { documentOf } from './shell.ts'
import {
  changeTable,
  figureTable,
  pacingTable,
  planTable,
  scheduledTable,
  tableOf,
} from './tables.ts'
import { paragraphsOf } from './texts.ts'

export const pageOfReport = (data: ReportData): string =>
  documentOf(
    data.report.name,
    html`${headOf(data)}
${data.provisional ? provisionalNote : html``}
${data.sections.map((section) => sectionOf(section, data))}
<footer class="soft">As of ${data.as_of.slice(0, 16).replace('T', ' ')} UTC. Days are those of ${data.time_zone}.</footer>`,
  )

const provisionalNote = html`<p class="note">Some figures may still change: days that are not over, or not reported in full, are marked as provisional.</p>`

const daysText = ({ from, to }: { from: string; to: string }) => `${from} to ${daysAfter(to, -1)}`

function headOf({ report, client, logo, period, compare }: ReportData): Html {
  const about = [client ?? '', daysText(period)].filter((text) => text !== '').join(' · ')
  const compared = compare === null ? '' : `, compared with ${daysText(compare)}`
  return html`<header>${logo === null ? html`` : html`<img src="${logo}" alt="">`}<div><h1>${report.name}</h1>
<p class="soft">${about}${compared}</p></div></header>`
}

const titles: Readonly<Record<ReportSection['kind'], string>> = {
  headline: '',
  changes: 'What changed',
  next: 'What comes next',
  summary: 'Summary',
  plan: 'Plan',
  pacing: 'Pacing',
  daily: 'By day',
  by_platform: 'By platform',
  by_profile: 'By account',
  by_campaign: 'By campaign',
  notes: 'Notes',
}

function sectionOf(section: ReportSection, data: ReportData): Html {
  const { kind, text } = section
  if (kind === 'headline') return html`<div class="lead">${paragraphsOf(text)}</div>`
  if (kind === 'notes' && !text) return html``
  return html`<section><h2>${titles[kind]}</h2>
${paragraphsOf(text)}${bodyOf(section, data)}</section>
`
}

function bodyOf(section: ReportSection, data: ReportData): Html {
  const { kind, rows = [], months = [], changes = [], scheduled = [], omitted = 0 } = section
  const isCompared = data.compare !== null
  switch (kind) {
    case 'changes':
      return changeTable(changes)
    case 'next':
      return scheduledTable(scheduled)
    case 'plan':
      return planTable(months)
    case 'pacing':
      return pacingTable(months)
    case 'daily':
      return dailyOf(rows)
    case 'notes':
    case 'headline':
      return html``
    default:
      return html`${figureTable(rows, { ...columns[kind], isCompared })}${more(omitted)}`
  }
}

const named = ({ name }: ResultGroup) => name

const columns = {
  summary: { head: 'Currency', nameOf: ({ currency }: ResultGroup) => currency },
  by_platform: { head: 'Platform', nameOf: ({ group }: ResultGroup) => platformText(group) },
  by_profile: { head: 'Account', nameOf: named },
  by_campaign: { head: 'Campaign', nameOf: named },
}

const platformText = (name: string | null): string | null => {
  const known = platforms.find((each) => each === name)
  return known ? platformNames[known] : name
}

const more = (omitted: number): Html =>
  omitted === 0 ? html`` : html`<p class="soft">And ${omitted} more.</p>`

function dailyOf(rows: readonly ResultGroup[]): Html {
  const byCurrency = [...Map.groupBy(rows, ({ currency }) => currency)]
  if (byCurrency.length === 0) return tableOf([], [])
  const dayOf = ({ group, is_final }: ResultGroup) =>
    is_final === false ? `${group} (provisional)` : group
  return html`${byCurrency.map(
    ([currency, days]) => html`<h3>${currency}</h3>
${chartOf(currency, days)}${figureTable(
  days.filter(({ data }) => data),
  { head: 'Day', nameOf: dayOf, isCompared: false },
)}`,
  )}`
}
