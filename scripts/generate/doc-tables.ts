/** Generates tables in documents between two markers, so that they match the code. */
import type { Option } from '../../server/src/commands/command.ts'
import { commands } from '../../server/src/commands/commands.ts'
import { secretSettings, settings } from '../../server/src/config/config.ts'
import { fileNameOf } from '../../server/src/config/secret-files.ts'
import { campaignStates } from '../../server/src/features/campaigns/lifecycle/reference.ts'
import { statuses } from '../../server/src/features/campaigns/lifecycle/transitions.ts'
import { allEventTypes, features } from '../../server/src/features/index.ts'
import { openApiDocument } from '../../server/src/http/openapi/document.ts'
import { keyRoles } from '../../server/src/identity/permissions.ts'
import { problemKinds } from '../../server/src/problems/codes.ts'
import { faultCodes } from '../../server/src/problems/fault-codes.ts'
import { version } from '../../server/src/version.ts'
import { fieldRows, type Schemas } from './field-tables.ts'

type Rows = readonly (readonly string[])[]

/** Padded as the formatter expects. */
function table(head: readonly string[], rows: Rows): string {
  const widths = head.map((_, at) =>
    Math.max(3, ...[head, ...rows].map((row) => row[at]?.length ?? 0)),
  )
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0, fill)).join(' | ')} |`
  return [
    line(head),
    line(
      head.map(() => ''),
      '-',
    ),
    ...rows.map((row) => line(row)),
  ].join('\n')
}

const code = (text: string): string => (text === '' ? '' : `\`${text}\``)
const codes = (texts: readonly string[]): string => texts.map(code).join(' ')

const { statuses: states, transitions } = campaignStates()

const texts: Readonly<Record<string, () => string>> = {
  settings: () =>
    table(
      ['Variable', 'Default', 'What it is'],
      Object.entries(settings).map(([name, { fallback, about }]) => [
        code(`FLIGHTDECK_${name}`),
        code(fallback),
        about,
      ]),
    ),
  secrets: () => codes(secretSettings.map((name) => `FLIGHTDECK_${fileNameOf(name)}`)),
  commands: () =>
    table(
      ['Command', 'What it does'],
      commands.map(({ usage, options = {}, summary }) => [
        code([usage, ...Object.entries(options).map(optionText)].join(' ')),
        summary,
      ]),
    ),
  problems: () =>
    table(
      ['Status', 'Code', 'What it says', 'Retry'],
      Object.entries(problemKinds).map(([name, { status, title, retry }]) => [
        String(status),
        code(name),
        title,
        retry,
      ]),
    ),
  faults: () => codes(faultCodes),
  transitions: () =>
    table(
      ['Action', 'From', 'To', 'Checked', 'In the audit log', 'What for'],
      transitions.map(({ action, from, to, checked, events, summary }) => [
        code(action),
        codes(from),
        codes(to),
        checked ? 'yes' : '',
        codes(events),
        summary,
      ]),
    ),
  'editable-fields': () => {
    const fields = [...new Set(states.flatMap(({ editable_fields }) => editable_fields))]
    const mark = (field: string) => states.map((each) => yes(each.editable_fields.includes(field)))
    return table(
      ['Field', ...statuses.map(code)],
      [
        ...fields.map((field) => [code(field), ...mark(field)]),
        ['DELETE', ...states.map(({ deletable }) => yes(deletable))],
      ],
    )
  },
  permissions: () =>
    table(
      ['Permission', ...keyRoles],
      features
        .flatMap(({ permissions = [] }) => permissions)
        .map(({ name, roles: allowed, isForPeopleOnly }) => [
          isForPeopleOnly ? `${code(name)} (no API keys)` : code(name),
          ...keyRoles.map((role) => yes(allowed.includes(role))),
        ]),
    ),
  lists: () =>
    table(
      ['List', 'Filters', 'Sort by'],
      lists().map(({ path, query }) => [
        code(path),
        codes(filtersOf(query)),
        codes(sortsOf(query)),
      ]),
    ),
  events: () => codes(allEventTypes()),
  'campaign-fields': () => fieldTable('DirectCampaignInput'),
  'client-fields': () => fieldTable('ClientInput'),
  'report-fields': () => fieldTable('ReportInput'),
  'profile-fields': () => fieldTable('ProfileInput'),
  'template-fields': () => fieldTable('TemplateInput'),
  'webhook-endpoint-fields': () => fieldTable('WebhookEndpointInput'),
  'api-key-fields': () => fieldTable('ApiKeyInput'),
}

/** The document as others read it. */
const document = JSON.stringify(openApiDocument(features, { version }))
const { components }: { components: { schemas: Schemas } } = JSON.parse(document)
const fieldTable = (name: string) => table(['Field', 'Rule'], fieldRows(components.schemas, name))

const yes = (is: boolean) => (is ? 'yes' : '–')

const optionText = ([name, { value, required }]: [string, Option]) => {
  const text = value ? `--${name} <${value}>` : `--${name}`
  return required ? text : `[${text}]`
}

type Query = Readonly<Record<string, object>>

const lists = () =>
  features
    .flatMap(({ endpoints }) => endpoints)
    .flatMap(({ path, query }) => (query && 'cursor' in query ? [{ path, query }] : []))

const ofEveryList = new Set(['cursor', 'limit', 'sort', 'include_total'])
const filtersOf = (query: Query) => Object.keys(query).filter((name) => !ofEveryList.has(name))

const sortsOf = ({ sort = {} }: Query): string[] =>
  'enum' in sort ? (sort.enum as string[]).filter((name) => !name.startsWith('-')) : []

const begin = /<!-- generated: ([\w-]+) -->\n/g

/** The document with every generated part up to date. */
export function withTables(markdown: string): string {
  let [text, at] = ['', 0]
  for (const { index, 0: mark, 1: name = '' } of markdown.matchAll(begin)) {
    const make = texts[name]
    if (!make) throw new Error(`no generated part is called ${name}`)
    const end = markdown.indexOf(`<!-- end of ${name} -->`, index)
    if (end < 0) throw new Error(`the generated part ${name} has no end`)
    text += `${markdown.slice(at, index)}${mark}\n${make()}\n\n`
    at = end
  }
  return text + markdown.slice(at)
}
