import { choicesOf } from '../../data/choices.ts'
import { flightdeck, type Schema } from '../../flightdeck.ts'
import { SelectField, TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { ScopeField, seesAll } from '../../ui/fields/scope-field.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'

type Values = Required<Pick<Schema<'InvitationInput'>, 'email' | 'role' | 'scope'>>
type Props = { onDone: (invitation: Schema<'SentInvitation'>) => void; onClose: () => void }

/** Asks a person to join. */
export function InvitationForm({ onDone, onClose }: Props) {
  const form = useForm<Values>({
    draft: 'invitation new',
    initial: { email: '', role: 'viewer', scope: null },
  })
  const { field, set, values } = form
  return (
    <FormDialog
      title="Invite a person"
      submitLabel="Invite"
      form={form}
      isNew
      onDone={onDone}
      onClose={onClose}
      submit={(_, write) => flightdeck.invitations.create(form.values, write)}
    >
      <TextField
        label="Email"
        type="email"
        autoComplete="off"
        hint="The person chooses name and password."
        {...field('email')}
      />
      <SelectField
        label="Role"
        choices={choicesOf('Role')}
        {...field('role')}
        onChange={(role) => set({ role, ...(seesAll(role) && { scope: null }) })}
      />
      {!seesAll(values.role) && <ScopeField {...field('scope')} />}
    </FormDialog>
  )
}
