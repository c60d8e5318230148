import type { FormValues } from '../../data/drafts.ts'
import { words } from '../../data/words.ts'
import { Button } from '../button.tsx'
import type { Form } from '../fields/form.ts'
import { Table } from '../lists/table.tsx'
import { Notice } from '../notice.tsx'
import { plainText } from '../values/values.ts'

type ConflictProps<Of extends FormValues> = {
  form: Form<Of>
  stored: { values: Of; changedBy: string | null }
  labels: undefined | Readonly<Partial<Record<keyof Of, string>>>
  onGoOn: () => void
}

/** Another person saved first: both sides, field by field, before anything is sent. */
export function Conflict<Of extends FormValues>({
  form,
  stored,
  labels,
  onGoOn,
}: ConflictProps<Of>) {
  const names = Object.keys(form.changes)
  const rows = names.map((name) => ({
    id: name,
    label: labels?.[name] ?? words(name),
    mine: plainText(form.values[name]),
    theirs: plainText(stored.values[name]),
  }))
  return (
    <Notice tone="warn" title={`${stored.changedBy ?? 'Another person'} changed this meanwhile.`}>
      <p>Your edits are still here. They will be saved on top of what is stored now.</p>
      <Table
        caption="Your edits beside what is stored now"
        rows={rows}
        columns={[
          { id: 'label', header: 'Field', cell: ({ label }) => label },
          { id: 'mine', header: 'Yours', cell: ({ mine }) => mine },
          { id: 'theirs', header: 'Stored now', cell: ({ theirs }) => theirs },
        ]}
      />
      <div>
        <Button small onClick={onGoOn}>
          Keep my edits and go on
        </Button>
      </div>
    </Notice>
  )
}
