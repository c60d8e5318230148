import { choicesOf } from '../../data/choices.ts'
import { flightdeck, type Member, type Schema } from '../../flightdeck.ts'
import { CheckField, SelectField, TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'

type NewValues = { email: string; name: string; role: Member['role']; password: string | null }

type NewProps = { onDone: (member: Schema<'NewMember'>) => void; onClose: () => void }

const secrets = ['password'] as const

/** Adds a person to the organization. */
export function NewMemberForm({ onDone, onClose }: NewProps) {
  const form = useForm<NewValues>({
    draft: 'member new',
    secrets,
    initial: { email: '', name: '', role: 'viewer', password: null },
  })
  const { field } = form
  return (
    <FormDialog
      title="Add a member"
      submitLabel="Add member"
      form={form}
      isNew
      onDone={onDone}
      onClose={onClose}
      submit={(_, write) => flightdeck.members.create(form.values, write)}
    >
      <TextField label="Email" type="email" autoComplete="off" {...field('email')} />
      <TextField label="Name" autoComplete="off" {...field('name')} />
      <SelectField label="Role" choices={choicesOf('Role')} {...field('role')} />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        optional
        hint="Left empty, one is made and shown to you once."
        {...field('password')}
      />
    </FormDialog>
  )
}

const valuesOf = ({ name, role, disabled }: Member) => ({ name, role, disabled })

type EditProps = { member: Member; onDone: () => void; onClose: () => void }

export function MemberForm({ member, onDone, onClose }: EditProps) {
  const form = useForm({
    draft: `member ${member.id}`,
    initial: valuesOf(member),
    version: member.version,
  })
  const { field } = form
  return (
    <FormDialog
      title={`Edit ${member.name}`}
      submitLabel="Save"
      form={form}
      onDone={onDone}
      onClose={onClose}
      submit={(changes, write) => flightdeck.members.update(member.id, changes, write)}
      stored={async () => {
        const stored = await flightdeck.members.get(member.id)
        return { values: valuesOf(stored), version: stored.version, changedBy: null }
      }}
    >
      <TextField label="Name" {...field('name')} />
      <SelectField
        label="Role"
        choices={choicesOf('Role')}
        hint="Applies to the next request."
        {...field('role')}
      />
      <CheckField label="Disabled" hint="Cannot log in; all sessions end." {...field('disabled')} />
    </FormDialog>
  )
}
