import { flightdeck } from '../../flightdeck.ts'
import { CheckField, TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import type { View, Viewed } from './state.ts'

type SaveProps = {
  resource: Viewed
  state: Pick<View, 'query' | 'columns'>
  onDone: (view: View) => void
  onClose: () => void
}

/** Names a view, for oneself or for all. */
export default function SaveView({ resource, state, onDone, onClose }: SaveProps) {
  const form = useForm<Pick<View, 'name' | 'shared'>>({
    draft: `view of ${resource}`,
    initial: { name: '', shared: false },
  })
  const { field } = form
  return (
    <FormDialog
      title="Save this view"
      submitLabel="Save view"
      form={form}
      isNew
      asksReason={false}
      onDone={onDone}
      onClose={onClose}
      submit={({ name = '', shared = false }, write) =>
        flightdeck.views.create({ resource, name, shared, ...state }, write)
      }
    >
      <TextField label="Name" hint="Keeps filters, order and columns." {...field('name')} />
      <CheckField
        label="Share it with the organization"
        hint="Members who see only a part of the organization do not see it."
        {...field('shared')}
      />
    </FormDialog>
  )
}
