import { useNavigate } from '@tanstack/react-router'
import { parse } from 'papaparse'
import { type FormEvent, useState } from 'react'
import { formatCount } from '../../data/numbers.ts'
import { organizationNow } from '../../data/organization.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import fieldStyles from '../../ui/fields.module.css'
import { CheckField, FieldRow, SelectField, TextField } from '../../ui/fields.tsx'
import { useForm } from '../../ui/form.ts'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { Card, Page, Section } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { say } from '../../ui/toast.tsx'
import { type Imported, importRows, nothingImported, refusedBy } from './importing.ts'
import { faultsIn, guess, type Mapping, missingIn, rowsOf, targets } from './mapping.ts'

type Sheet = { header: readonly string[]; cells: readonly (readonly string[])[] }

const maxRows = 50_000

/** A file of any network's export: its columns are mapped by hand, and checked before it is stored. */
export default function ImportResults() {
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const [mapping, setMapping] = useState<Mapping>({})
  const [unreadable, setUnreadable] = useState<string | null>(null)
  const open = (file: File | undefined) => {
    if (!file) return
    parse<string[]>(file, {
      skipEmptyLines: 'greedy',
      complete: ({ data }) => {
        const [header = [], ...cells] = data
        const isUsable = cells.length > 0 && cells.length <= maxRows
        setUnreadable(isUsable ? null : 'It must have a header and at most 50,000 rows.')
        setSheet(isUsable ? { header, cells } : null)
        setMapping(guess(header))
      },
      error: () => setUnreadable('It cannot be read.'),
    })
  }
  return (
    <Page title="Import results" about="What was spent each day, from a CSV file.">
      <Card>
        <Field
          label="CSV file"
          fault={unreadable ?? undefined}
          hint="One row for each campaign and day, with totals of the day."
        >
          {(parts) => (
            <input
              {...parts}
              type="file"
              accept=".csv,text/csv"
              className={fieldStyles.input}
              onChange={({ target }) => open(target.files?.[0])}
            />
          )}
        </Field>
      </Card>
      {sheet && <Columns sheet={sheet} mapping={mapping} onChange={setMapping} />}
      {sheet && <Report sheet={sheet} mapping={mapping} />}
    </Page>
  )
}

type ColumnsProps = { sheet: Sheet; mapping: Mapping; onChange: (mapping: Mapping) => void }

function Columns({ sheet, mapping, onChange }: ColumnsProps) {
  const columns = sheet.header.map((name, at) => ({
    value: `${at}`,
    name: name || `Column ${at + 1}`,
  }))
  const choices = [{ value: null, name: 'Not in the file' }, ...columns]
  return (
    <Section title="Columns">
      <Card>
        <FieldRow>
          {targets.map(({ name, label }) => (
            <SelectField
              key={name}
              label={label}
              name={name}
              choices={choices}
              fault={undefined}
              hint={exampleOf(sheet, mapping[name])}
              value={mapping[name] === undefined ? null : `${mapping[name]}`}
              onChange={(at) => onChange(changed(mapping, name, at))}
            />
          ))}
        </FieldRow>
      </Card>
    </Section>
  )
}

const exampleOf = ({ cells }: Sheet, at: number | undefined) =>
  at === undefined ? undefined : `Such as ${cells[0]?.[at] ?? ''}`

const changed = (mapping: Mapping, name: string, at: string | null): Mapping => {
  const { [name as keyof Mapping]: _, ...rest } = mapping
  return at === null ? rest : { ...rest, [name]: Number(at) }
}

type ReportProps = { sheet: Sheet; mapping: Mapping }

function Report({ sheet, mapping }: ReportProps) {
  const navigate = useNavigate()
  const form = useForm({
    draft: null,
    initial: { source: '', is_final: false, additional: false },
  })
  const [imported, setImported] = useState(nothingImported)
  const [isBusy, setBusy] = useState(false)
  const blocked = useBlocked('reportResults')
  const missing = missingIn(mapping) ?? (form.values.source === '' ? 'Name the source.' : null)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (missing || isBusy) return
    setBusy(true)
    setImported(nothingImported)
    const found = await sent().catch((error: unknown) => ({ ...nothingImported, error }))
    setBusy(false)
    setImported(found)
    if (found.error !== null || found.refused.length > 0) return
    say(`${sheet.cells.length} days imported`)
    void navigate({ to: '/results' })
  }
  const sent = async () => {
    const { source, additional, is_final } = form.values
    const faults = faultsIn(sheet.cells, mapping)
    if (faults.length > 0) return refusedBy(faults)
    const rows = rowsOf(sheet.cells, mapping).map((row) => ({ ...row, is_final }))
    const reported_at = new Date(await organizationNow()).toISOString()
    return importRows({ source, additional, reported_at }, rows)
  }
  return (
    <Section title="Report">
      <Card>
        <form className={fieldStyles.form} noValidate onSubmit={send}>
          <NotImported imported={imported} total={sheet.cells.length} />
          <FieldRow>
            <TextField
              label="Source"
              hint="A name of your choice, such as google_ads; always the same for the same network."
              {...form.field('source')}
            />
          </FieldRow>
          <CheckField
            label="These figures are final"
            hint="The network will not change these days any more."
            {...form.field('is_final')}
          />
          <CheckField
            label="Add to another source"
            hint="Only where two sources report different spend of one campaign."
            {...form.field('additional')}
          />
          <div>
            <Button type="submit" look="primary" blocked={blocked ?? missing} busy={isBusy}>
              {sheet.cells.length === 1
                ? 'Check and import 1 row'
                : `Check and import ${sheet.cells.length} rows`}
            </Button>
          </div>
        </form>
      </Card>
    </Section>
  )
}

const maxShown = 100

const titleOf = (count: number): string =>
  count === 1
    ? '1 row was refused. Nothing of it is stored.'
    : `${count} rows were refused. Nothing of them is stored.`

type NotImportedProps = { imported: Imported; total: number }

/** Why not all rows are stored, and how many are. */
const NotImported = ({ imported: { refused, stored, error }, total }: NotImportedProps) => (
  <>
    {error !== null && <ProblemNotice error={error} />}
    {stored > 0 && stored < total && (
      <Notice
        tone="warn"
        title={`${formatCount(stored)} of ${formatCount(total)} rows are stored.`}
      >
        <p>Import the file again to store the rest: no row is counted twice.</p>
      </Notice>
    )}
    {refused.length > 0 && (
      <Notice tone="bad" title={titleOf(refused.length)}>
        <Table
          caption="Faults by row of the file"
          rows={refused.slice(0, maxShown)}
          columns={[
            { id: 'row', header: 'Row', align: 'end', cell: ({ row }) => row },
            { id: 'text', header: 'Fault', grow: true, wrap: true, cell: ({ text }) => text },
          ]}
        />
      </Notice>
    )}
  </>
)
