import { useCurrencies } from '../../data/values/currencies.ts'
import { type Client, flightdeck } from '../../flightdeck.ts'
import { FieldRow, LongTextField, SelectField, TextField } from '../../ui/fields/fields.tsx'
import { type Form, useForm } from '../../ui/fields/form.ts'
import { LabelsField } from '../../ui/fields/labels-field.tsx'
import { More } from '../../ui/fields/more.tsx'
import { MetadataField } from '../../ui/fields/pairs-field.tsx'
import { OptionalZoneField } from '../../ui/fields/zone-field.tsx'
import { bodyOf } from '../../ui/forms/body.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { storedIn } from '../../ui/forms/stored.ts'

type ClientFormProps = {
  client?: Client
  onDone: (client: Client) => void
  onClose: () => void
}

const valuesOf = (client: Client | undefined) => ({
  name: client?.name ?? '',
  currency: client?.currency ?? null,
  time_zone: client?.time_zone ?? null,
  labels: client?.labels ?? [],
  notes: client?.notes ?? null,
  external_id: client?.external_id ?? null,
  metadata: client?.metadata ?? {},
})

type ClientValues = ReturnType<typeof valuesOf>

/** Creates a client, or changes one. */
export function ClientForm({ client, onDone, onClose }: ClientFormProps) {
  const form = useForm({
    draft: `client ${client?.id ?? 'new'}`,
    initial: valuesOf(client),
    version: client?.version ?? null,
  })
  return (
    <FormDialog
      title={client ? `Edit ${client.name}` : 'New client'}
      submitLabel={client ? 'Save' : 'Create client'}
      form={form}
      isNew={!client}
      onDone={onDone}
      onClose={onClose}
      submit={(changes, write) =>
        client
          ? flightdeck.clients.update(client.id, bodyOf(changes), write)
          : flightdeck.clients.create(bodyOf(changes), write)
      }
      stored={async () => storedIn(await flightdeck.clients.get(client?.id ?? ''), valuesOf)}
    >
      <ClientFields form={form} />
    </FormDialog>
  )
}

const expert = ['external_id', 'metadata'] as const

function ClientFields({ form }: { form: Form<ClientValues> }) {
  const currencies = useCurrencies().map(({ currency }) => ({ value: currency, name: currency }))
  return (
    <>
      <TextField label="Name" {...form.field('name')} />
      <FieldRow>
        <SelectField
          label="Currency"
          optional
          choices={[{ value: null, name: 'Not stated' }, ...currencies]}
          hint="The one that it usually pays in."
          {...form.field('currency')}
        />
        <OptionalZoneField
          label="Time zone"
          hint="Its months begin there. Empty: that of the organization."
          {...form.field('time_zone')}
        />
      </FieldRow>
      <LabelsField label="Labels" optional {...form.field('labels')} />
      <LongTextField label="Notes" optional {...form.field('notes')} />
      <More about="external id, metadata" fields={expert.map((name) => form.field(name))}>
        <TextField
          label="External id"
          optional
          hint="Its id in your own systems."
          {...form.field('external_id')}
        />
        <MetadataField
          label="Metadata"
          hint="Your own keys and values."
          {...form.field('metadata')}
        />
      </More>
    </>
  )
}
