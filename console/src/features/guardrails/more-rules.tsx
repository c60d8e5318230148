import { choicesOf, nameOf } from '../../data/choices.ts'
import { AmountsField, type CurrencyAmount } from '../../ui/fields/amounts-field.tsx'
import { CheckField, FieldRow, NumberField, SelectField } from '../../ui/fields/fields.tsx'
import type { Form } from '../../ui/fields/form.ts'
import fieldStyles from '../../ui/fields.module.css'
import type { GuardrailValues } from './values.ts'

export type PartProps = { form: Form<GuardrailValues> }

type Named<Of> = {
  [Name in keyof GuardrailValues]: GuardrailValues[Name] extends Of ? Name : never
}[keyof GuardrailValues]

type AmountsPartProps = PartProps & {
  name: Named<readonly CurrencyAmount[]>
  /** The pointer at which the service reports faults. */
  pointer: string
  label: string
  hint: string
}

/** Amounts by currency, each with its own fault. */
export const AmountsPart = ({ form, name, pointer, label, hint }: AmountsPartProps) => (
  <AmountsField
    label={label}
    hint={hint}
    value={form.values[name]}
    onChange={(amounts) => edit(form, { [name]: amounts })}
    faultOf={(currency) => form.faults.get(currency === null ? pointer : `${pointer}/${currency}`)}
  />
)

/** Names of the form are not those of the service here: edits are checked again. */
function edit(form: Form<GuardrailValues>, changes: Partial<GuardrailValues>): void {
  form.set(changes)
  form.setFaults(new Map())
}

/** How change sets are approved, and who has to use them. */
export function ChangeSetRules({ form }: PartProps) {
  const { change_set_approval } = form.values
  return (
    <>
      <SelectField
        label="Approvals of change sets"
        choices={choicesOf('ChangeSetApprovalMode')}
        hint="Whether a change set needs an approval before it is applied."
        {...form.field('change_set_approval')}
        fault={form.faults.get('/change_sets/approval')}
        onChange={(mode) => edit(form, { change_set_approval: mode })}
      />
      {change_set_approval === 'raises' && (
        <AmountsPart
          form={form}
          name="raises_above"
          pointer="/change_sets/raises_above"
          label="Largest raise a day that needs no approval"
          hint="Of all campaigns of a change set together. Currencies that are not listed: none."
        />
      )}
      <Writers form={form} />
    </>
  )
}

/** Callers who raise and launch by change set only. */
function Writers({ form }: PartProps) {
  const { required_for } = form.values
  const writers = choicesOf('ChangeSetWriter').map(({ value }) => value)
  return (
    <fieldset>
      <legend className={fieldStyles.label}>Raises and launches by change set only</legend>
      <p className={fieldStyles.hint}>
        Without it, direct edits stay free, whatever approval change sets need. Pausing, lowering
        and drafts always are.
      </p>
      {writers.map((writer) => (
        <CheckField
          key={writer}
          label={names[writer] ?? nameOf(writer)}
          name={`required ${writer}`}
          fault={form.faults.get('/change_sets/required_for')}
          value={required_for.includes(writer)}
          onChange={(isRequired) =>
            edit(form, {
              required_for: writers.filter((each) =>
                each === writer ? isRequired : required_for.includes(each),
              ),
            })
          }
        />
      ))}
    </fieldset>
  )
}

const names: Readonly<Record<string, string>> = {
  member: 'For members, of every role',
  api_key: 'For API keys, deletions too',
}

const bounds = [
  { name: 'under_percent', label: 'Under below, in %' },
  { name: 'over_percent', label: 'Over above, in %' },
  { name: 'critical_percent', label: 'Critical above, in %' },
] as const

/** Rules for money as it is spent. */
export const SpendRules = ({ form }: PartProps) => (
  <>
    <NumberField
      label="Pause at this share of what may be spent, in %"
      optional
      {...form.field('stop_at_percent')}
    />
    <StopScopes form={form} />
    <NumberField
      label="Off target beyond, in %"
      hint="How much worse than its target a campaign may be, such as a CPA of 24 beside 20."
      {...form.field('performance_bound')}
    />
    <FieldRow>
      {bounds.map(({ name, label }) => (
        <NumberField
          key={name}
          label={label}
          {...form.field(name)}
          fault={form.faults.get(`/pacing/${name}`)}
          onChange={(value) => edit(form, { [name]: value })}
        />
      ))}
    </FieldRow>
  </>
)

/** The sums that stop campaigns. */
function StopScopes({ form }: PartProps) {
  const { stop_scopes } = form.values
  const scopes = choicesOf('StopScope').map(({ value }) => value)
  return (
    <fieldset>
      <legend className={fieldStyles.label}>Pause campaigns when this is spent</legend>
      <p className={fieldStyles.hint}>
        Up to the share above. Without a share, only caps and months count, in full.
      </p>
      {scopes.map((scope) => (
        <CheckField
          key={scope}
          label={scopeNames[scope] ?? nameOf(scope)}
          name={`stop ${scope}`}
          fault={form.faults.get('/stop_scopes')}
          value={stop_scopes.includes(scope)}
          onChange={(isOn) =>
            edit(form, {
              stop_scopes: scopes.filter((each) =>
                each === scope ? isOn : stop_scopes.includes(each),
              ),
            })
          }
        />
      ))}
    </fieldset>
  )
}

const scopeNames: Readonly<Record<string, string>> = {
  lifetime: 'The lifetime budget of a campaign',
  profile: 'The monthly cap of its profile',
  client: 'The budget of its client for the month, in its currency',
}
