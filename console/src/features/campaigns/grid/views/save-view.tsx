import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { TextField } from '../../../../ui/fields/fields.tsx'
import fieldStyles from '../../../../ui/fields.module.css'
import { Dialog } from '../../../../ui/layers/dialog.tsx'

const longestName = 80

type SaveProps = { known: readonly string[]; onSave: (name: string) => void; onClose: () => void }

/** Names a view. */
export default function SaveView({ known, onSave, onClose }: SaveProps) {
  const [typed, setTyped] = useState('')
  const name = typed.trim()
  const isTooLong = name.length > longestName
  const fault = isTooLong ? `Is at most ${longestName} characters long.` : undefined
  const hint = known.includes(name)
    ? 'Replaces the view of this name.'
    : 'Filters, order and columns, kept in this browser. The address of the screen has them too.'
  const blocked = name === '' ? 'It needs a name.' : (fault ?? null)
  return (
    <Dialog
      title="Save this view"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="save-view" look="primary" blocked={blocked}>
            Save view
          </Button>
        </>
      }
    >
      <form
        id="save-view"
        className={fieldStyles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (blocked === null) onSave(name)
        }}
      >
        <TextField
          label="Name"
          hint={hint}
          name="name"
          fault={fault}
          value={typed}
          onChange={(value) => setTyped(value ?? '')}
        />
      </form>
    </Dialog>
  )
}
