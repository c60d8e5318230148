import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { type Campaign, flightdeck } from '../../../flightdeck.ts'
import { CheckField, LongTextField, SelectField, TextField } from '../../../ui/fields/fields.tsx'
import { type Form, useForm } from '../../../ui/fields/form.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { storedIn } from '../../../ui/forms/stored.ts'
import { say } from '../../../ui/layers/toast.tsx'
import { type Deployment, rereadDeployments } from '../queries.ts'
import { fieldChoices, type ManagedField, policyChoices } from '../words.ts'

type TermValues = {
  mode: 'create' | 'link'
  network_object_id: string | null
  /** Null for all that it can hold. */
  managed_fields: readonly ManagedField[] | null
  drift_policy: 'report' | 'overwrite'
  /** As JSON. */
  settings: string | null
}

type DeployProps = { campaign: Campaign; deployment?: Deployment; onClose: () => void }

const valuesOf = (deployment: Deployment | undefined): TermValues => ({
  mode: deployment?.mode === 'link' ? 'link' : 'create',
  network_object_id: deployment?.network_object_id ?? null,
  managed_fields: deployment ? managedIn(deployment) : null,
  drift_policy: deployment?.drift_policy === 'overwrite' ? 'overwrite' : 'report',
  settings: textOf(deployment?.settings ?? {}),
})

/** The fields that were chosen; null where the connector keeps all that it can. */
function managedIn({ managed_fields, coverage }: Deployment): TermValues['managed_fields'] {
  const held = fieldChoices.filter(({ value }) => coverage[value] !== 'refused')
  const chosen = held.filter(({ value }) => managed_fields.includes(value))
  return chosen.length === held.length ? null : chosen.map(({ value }) => value)
}

const textOf = (settings: object): string | null =>
  Object.keys(settings).length === 0 ? null : JSON.stringify(settings, null, 2)

/** An object, or null where it is none. */
function settingsIn(text: string | null): Record<string, unknown> | null {
  if (text === null) return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value }
      : null
  } catch {
    return null
  }
}

const doubts = ({ settings }: TermValues): ReadonlyMap<string, string> =>
  new Map(settingsIn(settings) ? [] : [['/settings', 'must be a JSON object, such as {"a": 1}']])

const labels = {
  mode: 'Campaign in the network',
  network_object_id: 'Its id in the network',
  managed_fields: 'What the connector keeps',
  drift_policy: 'What is changed in the network by others',
  settings: 'Settings of the network',
}

/** Deploys a campaign, or changes how it is deployed. */
export default function DeployForm({ campaign, deployment, onClose }: DeployProps) {
  const form = useForm<TermValues>({
    draft: `deployment ${campaign.id}`,
    initial: valuesOf(deployment),
    version: deployment?.version ?? null,
    check: doubts,
  })
  return (
    <FormDialog
      title={deployment ? `How ${campaign.name} is deployed` : `Deploy ${campaign.name}`}
      submitLabel={deployment ? 'Save' : 'Deploy'}
      form={form}
      isNew={!deployment}
      onClose={onClose}
      onDone={() => {
        say(deployment ? 'Saved' : 'Deployed', {
          detail: campaign.status === 'draft' ? 'Nothing is sent before its launch.' : undefined,
        })
        onClose()
        void rereadDeployments()
      }}
      stored={async () => storedIn(await flightdeck.campaigns.getDeployment(campaign.id), valuesOf)}
      labels={labels}
      submit={(changes, write) =>
        flightdeck.campaigns.putDeployment(
          campaign.id,
          termsOf({ ...form.values, ...changes }),
          write,
        )
      }
    >
      <TermFields campaign={campaign} form={form} isFixed={isFixed(deployment)} />
    </FormDialog>
  )
}

/** Whether the campaign in the network is known, and there: another cannot take its place. */
const isFixed = (deployment: Deployment | undefined): boolean =>
  deployment !== undefined &&
  deployment.network_object_id !== null &&
  deployment.error?.code !== 'gone'

const termsOf = (values: TermValues) => ({
  mode: values.mode,
  ...(values.mode === 'link' && { network_object_id: values.network_object_id }),
  managed_fields: values.managed_fields && [...values.managed_fields],
  drift_policy: values.drift_policy,
  settings: settingsIn(values.settings) ?? {},
})

type FieldProps = { campaign: Campaign; form: Form<TermValues>; isFixed: boolean }

const TermFields = ({ campaign, form, isFixed }: FieldProps) => (
  <>
    <SelectField
      label="Campaign in the network"
      choices={[
        { value: 'create', name: 'Make it' },
        { value: 'link', name: 'Link one that is there' },
      ]}
      disabled={isFixed}
      hint={isFixed ? 'It is known in the network: detach it first to change this.' : undefined}
      {...form.field('mode')}
    />
    {form.values.mode === 'link' && <LinkField {...{ campaign, form, isFixed }} />}
    <ManagedFields form={form} />
    <SelectField
      label="What is changed in the network by others"
      choices={policyChoices}
      {...form.field('drift_policy')}
    />
    <LongTextField
      label="Settings of the network"
      optional
      hint="A JSON object of what only the network knows; its connector judges it."
      {...form.field('settings')}
    />
  </>
)

/** The account’s own campaigns are suggested, as far as its connector has seen them. */
function LinkField({ campaign: { profile_id }, form, isFixed }: FieldProps) {
  const listId = useId()
  const { data = [] } = useQuery({
    queryKey: ['deployments', 'to link', profile_id],
    queryFn: async () =>
      (await flightdeck.profiles.listNetworkCampaigns(profile_id, { linked: false, limit: 100 }))
        .data,
  })
  return (
    <>
      <TextField
        label="Its id in the network"
        list={listId}
        readOnly={isFixed}
        {...form.field('network_object_id')}
      />
      <datalist id={listId}>
        {data.map(({ network_object_id: id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  )
}

function ManagedFields({ form }: { form: Form<TermValues> }) {
  const { managed_fields: chosen } = form.values
  const all = fieldChoices.map(({ value }) => value)
  const set = (managed_fields: TermValues['managed_fields']) => form.set({ managed_fields })
  return (
    <>
      <SelectField
        label="What the connector keeps"
        choices={[
          { value: 'all', name: 'All that it can hold' },
          { value: 'some', name: 'Only what is chosen here' },
        ]}
        name="managed_fields"
        fault={form.field('managed_fields').fault}
        value={chosen === null ? 'all' : 'some'}
        onChange={(value) => set(value === 'all' ? null : all)}
      />
      {chosen !== null &&
        fieldChoices.map(({ value, name }) => (
          <CheckField
            key={value}
            label={name}
            name={value}
            fault={undefined}
            value={chosen.includes(value)}
            onChange={(isOn) =>
              set(all.filter((each) => (each === value ? isOn : chosen.includes(each))))
            }
          />
        ))}
    </>
  )
}
