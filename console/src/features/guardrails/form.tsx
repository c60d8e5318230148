import { choicesOf, nameOf } from '../../data/choices.ts'
import { flightdeck } from '../../flightdeck.ts'
import { CheckField, FieldRow, NumberField, SelectField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import fieldStyles from '../../ui/fields.module.css'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { storedIn } from '../../ui/forms/stored.ts'
import { Card, Section } from '../../ui/page.tsx'
import { AmountsPart, ChangeSetRules, type PartProps, SpendRules } from './more-rules.tsx'
import { Sentences } from './sentences.tsx'
import { bodyOf, doubtsIn, type Guardrails, valuesOf } from './values.ts'

type GuardrailsFormProps = { rules: Guardrails; onDone: () => void; onClose: () => void }

/** Changes the rules, and says as one types what they will do. */
export function GuardrailsForm({ rules, onDone, onClose }: GuardrailsFormProps) {
  const form = useForm({
    draft: 'guardrails',
    initial: valuesOf(rules),
    version: rules.version,
    check: doubtsIn,
  })
  return (
    <FormDialog
      title="Edit the guardrails"
      submitLabel="Save guardrails"
      wide
      form={form}
      onDone={onDone}
      onClose={onClose}
      submit={(changes, write) => flightdeck.organization.updateGuardrails(bodyOf(changes), write)}
      stored={async () => storedIn(await flightdeck.organization.getGuardrails(), valuesOf)}
    >
      <Section title="What they will do">
        <Card>
          <Sentences values={form.values} />
        </Card>
      </Section>
      <Caps form={form} />
      <Increases form={form} />
      <Approvals form={form} />
      <ChangeSetRules form={form} />
      <SpendRules form={form} />
    </FormDialog>
  )
}

const Caps = ({ form }: PartProps) => (
  <>
    <AmountsPart
      form={form}
      name="max_daily_budget"
      pointer="/max_daily_budget"
      label="Most that a campaign may cost in a day"
      hint="Its daily budget; without one, its lifetime budget spread over its days."
    />
    <AmountsPart
      form={form}
      name="max_lifetime_budget"
      pointer="/max_lifetime_budget"
      label="Largest lifetime budget"
      hint="Campaigns without a lifetime budget are not limited by it."
    />
    <SelectField
      label="Campaigns in a currency that has no amount above"
      choices={choicesOf('UnlistedCurrencies')}
      {...form.field('unlisted_currencies')}
    />
  </>
)

const Increases = ({ form }: PartProps) => (
  <FieldRow>
    <NumberField
      label="Largest raise by one change, in %"
      optional
      {...form.field('max_increase_percent')}
    />
    <NumberField
      label="Largest raise within 24 hours, in %"
      optional
      {...form.field('max_increase_percent_24h')}
    />
  </FieldRow>
)

function Approvals({ form }: PartProps) {
  const { approval_mode, approver_roles } = form.values
  const roles = choicesOf('ApproverRole').map(({ value }) => value)
  return (
    <>
      <SelectField
        label="Approvals"
        choices={choicesOf('ApprovalMode')}
        hint="Whether a campaign needs an approval before it runs."
        {...form.field('approval_mode')}
        fault={form.faults.get('/approval/mode')}
      />
      {approval_mode === 'above' && (
        <AmountsPart
          form={form}
          name="approval_amounts"
          pointer="/approval/amounts"
          label="Largest budget that needs no approval"
          hint="Currencies that are not listed need no approval."
        />
      )}
      <fieldset>
        <legend className={fieldStyles.label}>Who may approve</legend>
        {roles.map((role) => (
          <CheckField
            key={role}
            label={nameOf(role)}
            name={`approver ${role}`}
            fault={undefined}
            value={approver_roles.includes(role)}
            onChange={(isApprover) =>
              form.set({
                approver_roles: roles.filter((each) =>
                  each === role ? isApprover : approver_roles.includes(each),
                ),
              })
            }
          />
        ))}
      </fieldset>
    </>
  )
}
