import { ownZone } from '../../data/values/time.ts'
import { flightdeck } from '../../flightdeck.ts'
import { FieldRow, LongTextField, TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { TimeField } from '../../ui/fields/time-field.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { storedIn } from '../../ui/forms/stored.ts'
import type { ChangeSet } from './queries.ts'

const valuesOf = ({ title, description, apply_at, revert_at }: ChangeSet) => ({
  title,
  description,
  apply_at,
  revert_at,
})

/** Edits title, description and times; the operations stay as they were proposed. */
export function ChangeSetForm({
  changeSet,
  onClose,
}: {
  changeSet: ChangeSet
  onClose: () => void
}) {
  const form = useForm({
    draft: `change set ${changeSet.id}`,
    initial: valuesOf(changeSet),
    version: changeSet.version,
  })
  return (
    <FormDialog
      title={`Edit ${changeSet.title}`}
      submitLabel="Save"
      form={form}
      submit={(changes, write) => flightdeck.changeSets.update(changeSet.id, changes, write)}
      stored={async () => storedIn(await flightdeck.changeSets.get(changeSet.id), valuesOf)}
      onDone={onClose}
      onClose={onClose}
    >
      <TextField label="Title" {...form.field('title')} />
      <LongTextField
        label="Description"
        optional
        hint="The reason, shown to those who review it."
        {...form.field('description')}
      />
      <FieldRow>
        <TimeField
          label="Apply at"
          optional
          zone={ownZone}
          hint="Another time voids an approval."
          {...form.field('apply_at')}
        />
        <TimeField label="Set back at" optional zone={ownZone} {...form.field('revert_at')} />
      </FieldRow>
    </FormDialog>
  )
}
