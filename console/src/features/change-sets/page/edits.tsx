import { IconCircleX } from '@tabler/icons-react'
import { words } from '../../../data/words.ts'
import { Button } from '../../../ui/button.tsx'
import { Table } from '../../../ui/lists/table.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/page.tsx'
import { plainText } from '../../../ui/values/values.ts'
import styles from '../change-sets.module.css'
import type { Tray, TrayEdit } from '../tray.ts'
import { countOf, type Failing } from '../trial.ts'

type EditsProps = { tray: Tray; failing: Failing }

/** Waiting edits, those that fail first, each with its fault and the way to take it out. */
export function Edits({ tray, failing }: EditsProps) {
  const { faults } = failing
  const [first = [], fine = []] = [true, false].map((fails) =>
    tray.edits.filter(({ id }) => faults.has(id) === fails),
  )
  return (
    <Section title="Edits">
      {faults.size > 0 && (
        <Notice tone="bad" title={failingText(failing)}>
          <p>Remove it here, or set another value in the grid. The others stay.</p>
        </Notice>
      )}
      <Table
        caption="Edits to publish"
        rows={[...first, ...fine]}
        columns={[
          {
            id: 'edit',
            header: 'Edit',
            grow: true,
            wrap: true,
            cell: (edit) => <Waiting edit={edit} faults={faults.get(edit.id) ?? []} />,
          },
          {
            id: 'remove',
            header: 'Remove',
            cell: ({ id, name }) => (
              <Button small aria-label={`Remove ${name}`} onClick={() => tray.remove(id)}>
                Remove
              </Button>
            ),
          },
        ]}
      />
    </Section>
  )
}

function failingText(failing: Failing): string {
  const count = countOf(failing)
  const text = `${count} ${count === '1' ? 'edit' : 'edits'} cannot be applied`
  return failing.more === 0 ? `${text}.` : `${text}; the first ${failing.faults.size} are shown.`
}

type WaitingProps = { edit: TrayEdit; faults: readonly string[] }

const Waiting = ({ edit, faults }: WaitingProps) => (
  <div className={styles.waiting}>
    <span className={styles.objectName}>{edit.name}</span>
    <span>{editText(edit)}</span>
    {[...new Set(faults)].map((fault) => (
      <span key={fault} className={styles.fault}>
        <IconCircleX aria-hidden size={14} />
        {fault}
      </span>
    ))}
  </div>
)

const editText = ({ body, action }: TrayEdit): string => {
  const fields = Object.entries(body).map(([field, value]) => {
    return `${words(field)}: ${plainText(value)}`
  })
  return [...fields, ...(action ? [words(action)] : [])].join(' · ')
}
