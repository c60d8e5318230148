import { useNavigate } from '@tanstack/react-router'
import { type Campaign, flightdeck } from '../../../flightdeck.ts'
import { CheckField, TextField } from '../../../ui/fields/fields.tsx'
import { useForm } from '../../../ui/fields/form.ts'
import { bodyOf } from '../../../ui/forms/body.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { say } from '../../../ui/layers/toast.tsx'
import { type CampaignValues, fieldNames, noValues, valuesOf } from '../form/values.ts'

type SaveProps = { campaign: Campaign; onClose: () => void }

/** Fields that a template takes from a campaign. */
const taken = [
  'objective',
  'profile_id',
  'daily_budget',
  'lifetime_budget',
  'currency',
  'time_zone',
  'labels',
  'metadata',
  'notes',
] as const satisfies readonly (keyof CampaignValues)[]

type Lock = (typeof taken)[number]

const initialOf = ({ name }: Campaign): { name: string; locked_fields: readonly Lock[] } => ({
  name,
  locked_fields: [],
})

/** Makes a template of a campaign; what is locked is the same in all campaigns made from it. */
export function SaveAsTemplate({ campaign, onClose }: SaveProps) {
  const navigate = useNavigate()
  const form = useForm({
    draft: `template of ${campaign.id}`,
    initial: initialOf(campaign),
  })
  const { locked_fields: locked } = form.values
  const lock = (field: Lock, isLocked: boolean) =>
    form.set({
      locked_fields: taken.filter((each) => (each === field ? isLocked : locked.includes(each))),
    })
  return (
    <FormDialog
      title={`Save ${campaign.name} as a template`}
      submitLabel="Save template"
      isNew
      form={form}
      submit={(body, write) => flightdeck.campaigns.saveAsTemplate(campaign, bodyOf(body), write)}
      onDone={({ id, name }) => {
        onClose()
        say(`The template ${name} is saved`, {
          action: {
            name: 'Show',
            run: () => void navigate({ to: '/templates/$id', params: { id } }),
          },
        })
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        {...form.field('name')}
        onChange={(name) => form.set({ name: name ?? '' })}
      />
      <p>Locked fields cannot be changed in campaigns that are made from the template.</p>
      {setIn(campaign).map((field) => (
        <CheckField
          key={field}
          name={field}
          label={`Lock ${fieldNames[field].toLowerCase()}`}
          fault={undefined}
          value={locked.includes(field)}
          onChange={(isLocked) => lock(field, isLocked)}
        />
      ))}
    </FormDialog>
  )
}

/** The fields that the campaign has. */
function setIn(campaign: Campaign): readonly Lock[] {
  const values = valuesOf(campaign)
  return taken.filter((field) => JSON.stringify(values[field]) !== JSON.stringify(noValues[field]))
}
