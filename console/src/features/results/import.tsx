import { FlightdeckError, reportAll } from '@flightdeckhq/sdk'
import { useNavigate } from '@tanstack/react-router'
import { parse } from 'papaparse'
import { type FormEvent, useState } from 'react'
import { organizationNow } from '../../data/organization.ts'
import { flightdeck } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import fieldStyles from '../../ui/fields.module.css'
import { CheckField, FieldRow, SelectField, TextField } from '../../ui/fields.tsx'
import { useForm } from '../../ui/form.ts'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { Card, Page, Section } from '../../ui/page.tsx'
import { detailOf, faultText } from '../../ui/problem.ts'
import { Table } from '../../ui/table.tsx'
import { say } from '../../ui/toast.tsx'
import { guess, type Mapping, missingIn, rowsOf, targets } from './mapping.ts'

type Sheet = { header: readonly string[]; cells: readonly (readonly string[])[] }
type Fault = { id: string; row: number; text: string }

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
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const blocked = useBlocked('reportResults')
  const missing = missingIn(mapping) ?? (form.values.source === '' ? 'Name the source.' : null)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (missing || isBusy) return
    setBusy(true)
    setError(null)
    try {
      const rows = rowsOf(sheet.cells, mapping).map((row) => ({
        ...row,
        is_final: form.values.is_final,
      }))
      const { source, additional } = form.values
      const reported_at = new Date(await organizationNow()).toISOString()
      const report = { source, additional, reported_at }
      // Every row is tried before the first one is stored.
      const found = await faultsOf(reportAll(flightdeck, report, rows, { dryRun: true }))
      setFaults(found)
      if (found.length > 0) return
      const left = await faultsOf(reportAll(flightdeck, report, rows))
      setFaults(left)
      if (left.length > 0) return
      say(`${rows.length} days imported`)
      void navigate({ to: '/results' })
    } catch (thrown) {
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Section title="Report">
      <Card>
        <form className={fieldStyles.form} noValidate onSubmit={send}>
          {error !== null && <ProblemNotice error={error} />}
          {faults.length > 0 && <Faults faults={faults} />}
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

// The header is row 1 of the file.
const rowAt = (index: number): number => index + 2

async function faultsOf(outcomes: ReturnType<typeof reportAll>): Promise<readonly Fault[]> {
  const faults: Fault[] = []
  let seen = 0
  try {
    for await (const { index, outcome, problem } of outcomes) {
      seen += 1
      if (outcome !== 'failed') continue
      const text = problem ? detailOf(problem) : 'It was refused.'
      faults.push({ id: `${index}`, row: rowAt(index), text })
    }
  } catch (error) {
    const refused = refusedRows(error, seen)
    if (refused.length === 0) throw error
    faults.push(...refused)
  }
  return faults
}

/** A value of no use refuses its whole request: the rows at fault, after those that were seen. */
function refusedRows(error: unknown, seen: number): Fault[] {
  if (!(error instanceof FlightdeckError)) return []
  return error.errors.flatMap(({ pointer = '', message = '' }) => {
    const index = /^\/rows\/(\d+)/.exec(pointer)?.[1]
    if (index === undefined) return []
    return { id: pointer, row: rowAt(seen + Number(index)), text: faultText(pointer, message) }
  })
}

const maxShown = 100

const titleOf = (count: number): string =>
  count === 1
    ? '1 row was refused. Nothing of it is stored.'
    : `${count} rows were refused. Nothing of them is stored.`

const Faults = ({ faults }: { faults: readonly Fault[] }) => (
  <Notice tone="bad" title={titleOf(faults.length)}>
    <Table
      caption="Faults by row of the file"
      rows={faults.slice(0, maxShown)}
      columns={[
        { id: 'row', header: 'Row', align: 'end', cell: ({ row }) => row },
        { id: 'text', header: 'Fault', cell: ({ text }) => text },
      ]}
    />
  </Notice>
)
