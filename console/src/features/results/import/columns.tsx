import { asidesOf, type Columns, type Field, presets } from '@flightdeckhq/sdk/results-file'
import { FieldRow, SelectField } from '../../../ui/fields/fields.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Card, Section } from '../../../ui/page.tsx'
import type { Sheet } from './sheet.ts'

type Target = { name: Field; label: string }

const targets: readonly Target[] = [
  { name: 'external_id', label: 'Campaign’s id' },
  { name: 'campaign_name', label: 'Campaign’s name' },
  { name: 'date', label: 'Day' },
  { name: 'spend', label: 'Spend' },
  { name: 'currency', label: 'Currency' },
  { name: 'impressions', label: 'Impressions' },
  { name: 'clicks', label: 'Clicks' },
  { name: 'conversions', label: 'Conversions' },
  { name: 'conversion_value', label: 'Conversion value' },
  { name: 'adjustment', label: 'Correction of the spend' },
  { name: 'end_date', label: 'Last day of a row' },
  { name: 'is_final', label: 'Whether it is final' },
]

const needed: readonly Field[] = ['external_id', 'campaign_name', 'date', 'spend']

type ColumnsProps = {
  sheet: Sheet
  columns: Columns
  onChange: (columns: Columns) => void
  onHeader: (line: number) => void
}

/** Chooses the meaning of each column; begins with the best guess by their names. */
export function ColumnsSection({ sheet, columns, onChange, onHeader }: ColumnsProps) {
  const names = sheet.file.header.cells.map((name, at) => ({
    value: `${at}`,
    name: name.trim() || `Column ${at + 1}`,
  }))
  const choices = [{ value: null, name: 'Not in the file' }, ...names]
  const isShown = ({ name }: Target) =>
    needed.includes(name) || sheet.file.columns[name] !== undefined
  const [shown, others] = [targets.filter(isShown), targets.filter((each) => !isShown(each))]
  const select = ({ name, label }: Target) => (
    <SelectField
      key={name}
      label={label}
      name={name}
      choices={choices}
      fault={undefined}
      hint={exampleOf(sheet, columns[name])}
      value={columns[name] === undefined ? null : `${columns[name]}`}
      onChange={(at) => onChange(changed(columns, name, at))}
    />
  )
  return (
    <Section title="Columns">
      <Card>
        <Found sheet={sheet} columns={columns} />
        <FieldRow>
          <HeaderLine sheet={sheet} onHeader={onHeader} />
          {shown.map(select)}
        </FieldRow>
        <details>
          <summary>Other columns</summary>
          <FieldRow>{others.map(select)}</FieldRow>
        </details>
      </Card>
    </Section>
  )
}

const mostLines = 12

/** The line of the header, with the first cells of each line that may be it. */
function HeaderLine({ sheet, onHeader }: Pick<ColumnsProps, 'sheet' | 'onHeader'>) {
  const { file } = sheet
  const choices = [...file.above, file.header, ...file.rows].slice(0, mostLines)
  const own = choices.includes(file.header) ? choices : [...choices, file.header]
  return (
    <SelectField
      label="Header"
      name="header_line"
      fault={undefined}
      choices={own.map(({ line, cells }) => ({
        value: `${line}`,
        name: `Line ${line}: ${cells.join(', ').slice(0, 60)}`,
      }))}
      value={`${file.header.line}`}
      onChange={(line) => onHeader(Number(line))}
    />
  )
}

/** Findings about the file, and the rows that are left out. */
function Found({ sheet: { file }, columns }: Pick<ColumnsProps, 'sheet' | 'columns'>) {
  const { network, header, titleLines } = file
  const skipped = asidesOf(file, columns)
  const isPlain = network === null && titleLines === 0 && skipped.length === 0
  if (isPlain) return null
  const titles = titleLines === 1 ? '1 title line' : `${titleLines} title lines`
  return (
    <Notice
      title={
        network ? `An export of ${presets[network].name}` : 'Not all lines are days of campaigns'
      }
    >
      {titleLines > 0 && (
        <p>
          Header found on line {header.line}; {titles} skipped.
        </p>
      )}
      {skipped.length > 0 && <p>Left out: {listOf(skipped)}.</p>}
      {network && presets[network].note && <p>{presets[network].note}</p>}
    </Notice>
  )
}

const mostSkipped = 5

function listOf(skipped: readonly { line: number; text: string }[]): string {
  const shown = skipped.slice(0, mostSkipped).map(({ line, text }) => `line ${line} (${text})`)
  const rest = skipped.length - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
}

function exampleOf({ file }: Sheet, at: number | undefined): string | undefined {
  if (at === undefined) return undefined
  const filled = file.rows.find(({ cells }) => (cells[at]?.trim() ?? '') !== '')
  return filled && `Such as ${filled.cells[at]?.trim().slice(0, 60)}`
}

function changed(columns: Columns, name: Field, at: string | null): Columns {
  const { [name]: _, ...rest } = columns
  return at === null ? rest : { ...rest, [name]: Number(at) }
}
