import type { Body } from '@flightdeckhq/sdk'
import { choicesOf } from '../../data/choices.ts'
import { dayMs, ownZone } from '../../data/values/time.ts'
import { flightdeck, type Schema, type Scope } from '../../flightdeck.ts'
import { SelectField, TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { ScopeField, seesAll } from '../../ui/fields/scope-field.tsx'
import { TimeField } from '../../ui/fields/time-field.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { AgentFields, type AgentValues, doubtsIn, termsOf } from './agent/fields.tsx'

type ApiKeyValues = {
  name: string
  role: Body<'createApiKey'>['role']
  scope: Scope | null
  /** In days, or `at` a time. */
  lifetime: string | null
  expires_at: string | null
} & AgentValues

type ApiKeyFormProps = { onDone: (key: Schema<'CreatedApiKey'>) => void; onClose: () => void }

const lifetimes = [
  { value: null, name: 'Never' },
  { value: '30', name: 'In 30 days' },
  { value: '90', name: 'In 90 days' },
  { value: '365', name: 'In a year' },
  { value: 'at', name: 'At a time of your choice' },
]

const plain: AgentValues = { apply: null, envelope: [] }
const noDoubts: ReadonlyMap<string, string> = new Map()
const isEditor = ({ role }: ApiKeyValues) => role === 'editor'

const roleHints: Partial<Record<ApiKeyValues['role'], string>> = {
  provisioner:
    'For a directory such as Entra or Okta, which adds, changes and disables members by SCIM. It reaches nothing else.',
}

/** Creates a credential for a program. */
export function ApiKeyForm({ onDone, onClose }: ApiKeyFormProps) {
  const form = useForm<ApiKeyValues>({
    draft: 'api key new',
    initial: { name: '', role: 'viewer', scope: null, lifetime: '90', expires_at: null, ...plain },
    check: (values) => (isEditor(values) ? doubtsIn(values) : noDoubts),
  })
  const { field, set, values } = form
  return (
    <FormDialog
      title="New API key"
      submitLabel="Create API key"
      form={form}
      isNew
      onDone={onDone}
      onClose={onClose}
      submit={(_, write) => flightdeck.apiKeys.create(bodyOf(values), write)}
    >
      <TextField label="Name" hint="The program that will use it." {...field('name')} />
      <SelectField
        label="Role"
        choices={choicesOf('ApiKeyRole')}
        hint={roleHints[values.role] ?? 'The most that the key may do. It cannot be changed later.'}
        {...field('role')}
        onChange={(role) => set({ role, ...(seesAll(role) && { scope: null }) })}
      />
      {isEditor(values) && <AgentFields values={values} onChange={set} faults={form.faults} />}
      {!seesAll(values.role) && <ScopeField {...field('scope')} />}
      <SelectField
        label="Expires"
        choices={lifetimes}
        {...field('lifetime')}
        fault={values.lifetime === 'at' ? undefined : field('expires_at').fault}
      />
      {values.lifetime === 'at' && (
        <TimeField label="Time" zone={ownZone} {...field('expires_at')} />
      )}
    </FormDialog>
  )
}

function expiryOf({ lifetime, expires_at }: ApiKeyValues): string | null {
  if (lifetime === null || lifetime === 'at') return lifetime && expires_at
  return new Date(Date.now() + Number(lifetime) * dayMs).toISOString()
}

const bodyOf = (values: ApiKeyValues): Body<'createApiKey'> => ({
  name: values.name,
  role: values.role,
  scope: values.scope,
  expires_at: expiryOf(values),
  ...(isEditor(values) && values.apply !== null && { agent: termsOf(values) }),
})
