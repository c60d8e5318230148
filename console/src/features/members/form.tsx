import { choicesOf } from '../../data/choices.ts'
import { flightdeck, type Member, type Schema } from '../../flightdeck.ts'
import { CheckField, SelectField, TextField } from '../../ui/fields/fields.tsx'
import { type Form, useForm } from '../../ui/fields/form.ts'
import { ScopeField, seesAll } from '../../ui/fields/scope-field.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'

type NewValues = Pick<Member, 'email' | 'name' | 'role' | 'scope'> & { password: string | null }

type NewProps = {
  /** The client that is all that the person sees. */
  client?: string | undefined
  onDone: (member: Schema<'NewMember'>) => void
  onClose: () => void
}

const secrets = ['password'] as const

/** Adds a person to the organization. */
export function NewMemberForm({ client, onDone, onClose }: NewProps) {
  const scope = client === undefined ? null : { client_ids: [client] }
  const form = useForm<NewValues>({
    draft: client === undefined ? 'member new' : `member of ${client}`,
    secrets,
    initial: { email: '', name: '', role: 'viewer', scope, password: null },
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
      <RoleFields form={form} />
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

type RoleFieldsProps = {
  form: Pick<Form<Pick<Member, 'role' | 'scope'>>, 'field' | 'set' | 'values'>
  hint?: string
}

/** The role, and what people of the role see: owners and admins see everything. */
function RoleFields({ form, hint }: RoleFieldsProps) {
  const { field, set, values } = form
  return (
    <>
      <SelectField
        label="Role"
        choices={choicesOf('Role')}
        {...{ hint }}
        {...field('role')}
        onChange={(role) => set({ role, ...(seesAll(role) && { scope: null }) })}
      />
      {!seesAll(values.role) && <ScopeField {...field('scope')} />}
    </>
  )
}

const valuesOf = ({ name, role, disabled, scope }: Member) => ({ name, role, disabled, scope })

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
      <RoleFields form={form} hint="Applies to the next request." />
      <CheckField label="Disabled" hint="Cannot log in; all sessions end." {...field('disabled')} />
    </FormDialog>
  )
}
