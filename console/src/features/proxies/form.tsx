import { choicesOf } from '../../data/choices.ts'
import { countryChoices } from '../../data/values/countries.ts'
import { flightdeck, type ProxyServer } from '../../flightdeck.ts'
import {
  CheckField,
  FieldRow,
  LongTextField,
  NumberField,
  SelectField,
  TextField,
} from '../../ui/fields/fields.tsx'
import { type Form, useForm } from '../../ui/fields/form.ts'
import { LabelsField } from '../../ui/fields/labels-field.tsx'
import { More } from '../../ui/fields/more.tsx'
import { MetadataField } from '../../ui/fields/pairs-field.tsx'
import { bodyOf } from '../../ui/forms/body.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { storedIn } from '../../ui/forms/stored.ts'
import { Notice } from '../../ui/notice.tsx'

type ProxyFormProps = {
  proxy?: ProxyServer
  onDone: (proxy: ProxyServer) => void
  onClose: () => void
}

const valuesOf = (proxy?: ProxyServer) => ({
  name: proxy?.name ?? null,
  protocol: proxy?.protocol ?? 'http',
  host: proxy?.host ?? '',
  port: proxy?.port ?? null,
  username: proxy?.username ?? null,
  /** The stored one is never sent back: null keeps it. */
  password: null as string | null,
  removes_password: false,
  country: proxy?.country ?? null,
  enabled: proxy?.enabled ?? true,
  external_id: proxy?.external_id ?? null,
  labels: proxy?.labels ?? [],
  metadata: proxy?.metadata ?? {},
  notes: proxy?.notes ?? null,
})

type ProxyValues = ReturnType<typeof valuesOf>

function changesIn({ removes_password, password, ...values }: Partial<ProxyValues>) {
  if (removes_password) return { ...values, password: null }
  return password ? { ...values, password } : values
}

const secrets = ['password'] as const

/** Creates a proxy, or changes one. */
export function ProxyForm({ proxy, onDone, onClose }: ProxyFormProps) {
  const form = useForm({
    draft: `proxy ${proxy?.id ?? 'new'}`,
    secrets,
    initial: valuesOf(proxy),
    version: proxy?.version ?? null,
  })
  return (
    <FormDialog
      title={proxy ? `Edit ${proxy.name}` : 'New proxy'}
      submitLabel={proxy ? 'Save' : 'Create proxy'}
      form={form}
      isNew={!proxy}
      onDone={onDone}
      onClose={onClose}
      submit={(changes, write) =>
        proxy
          ? flightdeck.proxies.update(proxy.id, bodyOf(changesIn(changes)), write)
          : flightdeck.proxies.create(bodyOf(changesIn(changes)), write)
      }
      stored={async () => storedIn(await flightdeck.proxies.get(proxy?.id ?? ''), valuesOf)}
    >
      <ProxyFields form={form} hasPassword={proxy?.has_password === true} />
    </FormDialog>
  )
}

type FieldsProps = { form: Form<ProxyValues>; hasPassword: boolean }

function ProxyFields({ form, hasPassword }: FieldsProps) {
  const { field } = form
  return (
    <>
      <TextField
        label="Name"
        optional
        hint="Without one it is called by its address."
        {...field('name')}
      />
      <FieldRow>
        <SelectField label="Protocol" choices={choicesOf('ProxyProtocol')} {...field('protocol')} />
        <NumberField label="Port" {...field('port')} />
      </FieldRow>
      <TextField label="Host" hint="A name or an address." {...field('host')} />
      <Credentials form={form} hasPassword={hasPassword} />
      <SelectField
        label="Country"
        optional
        hint="Where its traffic comes out."
        choices={[{ value: null, name: 'Not stated' }, ...countryChoices()]}
        {...field('country')}
      />
      <CheckField label="Enabled" hint="A disabled proxy is not checked." {...field('enabled')} />
      <LabelsField label="Labels" optional {...field('labels')} />
      <LongTextField label="Notes" optional {...field('notes')} />
      <More about="external id, metadata" fields={[field('external_id'), field('metadata')]}>
        <TextField
          label="External id"
          optional
          hint="Its id in your own systems."
          {...field('external_id')}
        />
        <MetadataField label="Metadata" hint="Your own keys and values." {...field('metadata')} />
      </More>
    </>
  )
}

const target = ['protocol', 'host', 'port'] as const

function Credentials({ form, hasPassword }: FieldsProps) {
  const { field, changes, values } = form
  const isMoved = hasPassword && target.some((name) => name in changes)
  return (
    <>
      <FieldRow>
        <TextField label="User name" optional autoComplete="off" {...field('username')} />
        <TextField
          label="Password"
          optional
          type="password"
          autoComplete="new-password"
          hint={hasPassword ? 'One is stored: empty keeps it.' : 'Stored encrypted, shown to few.'}
          {...field('password')}
        />
      </FieldRow>
      {isMoved && !values.password && (
        <Notice tone="warn" title="The stored password will be cleared.">
          <p>Another protocol, host or port is another proxy: enter its password again.</p>
        </Notice>
      )}
      {hasPassword && (
        <CheckField label="Remove the stored password" {...field('removes_password')} />
      )}
    </>
  )
}
