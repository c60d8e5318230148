import { FlightdeckError } from '@flightdeckhq/sdk'
import { type FormEvent, useId, useState } from 'react'
import { rowInFile } from '../../data/values/csv.ts'
import { flightdeck } from '../../flightdeck.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { TextField } from '../../ui/fields/fields.tsx'
import fieldStyles from '../../ui/fields.module.css'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Table } from '../../ui/lists/table.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { faultText } from '../../ui/problem.ts'
import type { ChangeSet } from './queries.ts'

type FromCsvProps = { onDone: (changeSet: ChangeSet) => void; onClose: () => void }

/** A spreadsheet becomes a change set: nothing is stored where a row cannot be read. */
export function FromCsv({ onDone, onClose }: FromCsvProps) {
  const formId = useId()
  const [file, setFile] = useState<File | null>(null)
  const [title, setTitle] = useState('')
  const { error, isBusy, propose } = useProposing(onDone)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (file && !isBusy) void propose(file, title || file.name)
  }
  return (
    <Dialog
      title="Change set from a CSV file"
      kind="drawer"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={formId}
            look="primary"
            busy={isBusy}
            blocked={file ? null : 'Choose a file first.'}
          >
            Try it out
          </Button>
        </>
      }
    >
      <form id={formId} className={fieldStyles.form} noValidate onSubmit={submit}>
        {error !== null && <FileProblem error={error} />}
        <p>
          Export campaigns as CSV, change cells, and bring the file back. A blank cell leaves a
          value, <code>[]</code> clears it, and a row without an id creates a campaign.
        </p>
        <FileField onChange={setFile} />
        <TextField
          label="Title"
          optional
          hint="Left out: the name of the file."
          name="title"
          fault={undefined}
          value={title}
          onChange={(text) => setTitle(text ?? '')}
        />
      </form>
    </Dialog>
  )
}

function useProposing(onDone: FromCsvProps['onDone']) {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const propose = async (file: File, title: string) => {
    setBusy(true)
    setError(null)
    try {
      const csv = await file.text()
      onDone(await flightdeck.changeSets.proposeFromCsv(csv, { title, source: 'console' }))
    } catch (thrown) {
      setError(thrown)
      setBusy(false)
    }
  }
  return { error, isBusy, propose }
}

const FileField = ({ onChange }: { onChange: (file: File | null) => void }) => (
  <Field label="File" fault={undefined} hint="At most 1,000 rows and 8 MiB.">
    {(parts) => (
      <input
        {...parts}
        type="file"
        accept=".csv,text/csv"
        className={fieldStyles.input}
        onChange={({ target }) => onChange(target.files?.[0] ?? null)}
      />
    )}
  </Field>
)

function FileProblem({ error }: { error: unknown }) {
  const errors = error instanceof FlightdeckError ? error.errors : []
  const faults = errors.flatMap(faultIn)
  const others = errors
    .filter((each) => faultIn(each).length === 0)
    .map(({ pointer = '', message = '' }) => faultText(pointer, message))
  const about = ['Correct these rows of the file.', ...others].join(' ')
  return (
    <ProblemNotice error={error} about={faults.length > 0 ? about : undefined}>
      {faults.length > 0 && (
        <Table
          caption="Faults by row"
          rows={faults.map((fault, at) => ({ id: `${at}`, ...fault }))}
          columns={[
            { id: 'row', header: 'Row', align: 'end', cell: ({ row }) => row },
            { id: 'column', header: 'Column', cell: ({ column }) => column },
            {
              id: 'message',
              header: 'Fault',
              grow: true,
              wrap: true,
              cell: ({ message }) => message,
            },
          ]}
        />
      )}
    </ProblemNotice>
  )
}

/** `/rows/3/daily_budget` or, in the header, `/columns/naem`: where in the file, and what. */
function faultIn({ pointer = '', message = '' }: FlightdeckError['errors'][number]) {
  const [, place, first = '', column = ''] = pointer.split('/')
  if (place === 'columns') return [{ row: 1, column: first, message }]
  return place === 'rows' && first !== ''
    ? [{ row: rowInFile(Number(first)), column, message }]
    : []
}
