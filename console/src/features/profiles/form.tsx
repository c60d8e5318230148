import type { Body } from '@flightdeckhq/sdk'
import { choicesOf, nameOf } from '../../data/choices.ts'
import { doubtsOf, typedMinor } from '../../data/typed.ts'
import { countryChoices, countryName } from '../../data/values/countries.ts'
import { useCurrencies, useExponent } from '../../data/values/currencies.ts'
import { ownZone } from '../../data/values/time.ts'
import { flightdeck, type Profile } from '../../flightdeck.ts'
import { FieldRow, LongTextField, SelectField, TextField } from '../../ui/fields/fields.tsx'
import { type Form, useForm } from '../../ui/fields/form.ts'
import { LabelsField } from '../../ui/fields/labels-field.tsx'
import { MoneyField } from '../../ui/fields/money-field.tsx'
import { More } from '../../ui/fields/more.tsx'
import { ObjectField } from '../../ui/fields/object-field.tsx'
import { MetadataField } from '../../ui/fields/pairs-field.tsx'
import { ZoneField } from '../../ui/fields/zone-field.tsx'
import { bodyOf } from '../../ui/forms/body.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { storedIn } from '../../ui/forms/stored.ts'
import { ProposeInstead } from '../change-sets/tray/instead.tsx'

type ProfileFormProps = {
  profile?: Profile
  /** The name of the client that a new one is of. */
  client?: string | undefined
  onDone: (profile: Profile) => void
  onClose: () => void
}

const valuesOf = (profile: Profile | undefined, exponent: number) => ({
  name: profile?.name ?? '',
  platform: profile?.platform ?? 'other',
  client: profile?.client ?? null,
  account_ref: profile?.account_ref ?? null,
  currency: profile?.currency ?? null,
  time_zone: profile?.time_zone ?? ownZone,
  country: profile?.country ?? null,
  status: profile?.status ?? 'active',
  proxy_id: profile?.proxy_id ?? null,
  credential_ref: profile?.credential_ref ?? null,
  daily_budget_cap: amountOf(profile?.daily_budget_cap_minor, exponent),
  monthly_spend_cap: amountOf(profile?.monthly_spend_cap_minor, exponent),
  external_id: profile?.external_id ?? null,
  labels: profile?.labels ?? [],
  metadata: profile?.metadata ?? {},
  notes: profile?.notes ?? null,
})

type ProfileValues = ReturnType<typeof valuesOf>

const amountOf = (minor: number | null | undefined, exponent: number) =>
  minor == null ? null : typedMinor(minor, exponent)

const caps = ['daily_budget_cap', 'monthly_spend_cap'] as const

const doubtsIn = ({ daily_budget_cap, monthly_spend_cap, currency }: ProfileValues) =>
  doubtsOf(
    { '/daily_budget_cap': daily_budget_cap, '/monthly_spend_cap': monthly_spend_cap },
    currency,
  )

/** Creates a profile, or changes one. */
export function ProfileForm({ profile, client, onDone, onClose }: ProfileFormProps) {
  const exponent = useExponent(profile?.currency ?? null)
  const form = useForm({
    draft: `profile ${profile?.id ?? 'new'}`,
    initial: { ...valuesOf(profile, exponent), ...(client && { client }) },
    version: profile?.version ?? null,
    check: doubtsIn,
  })
  const amounts = { money: caps, currency: form.values.currency }
  return (
    <FormDialog
      title={profile ? `Edit ${profile.name}` : 'New profile'}
      submitLabel={profile ? 'Save' : 'Create profile'}
      form={form}
      isNew={!profile}
      onDone={onDone}
      onClose={onClose}
      submit={(changes, write) =>
        profile
          ? flightdeck.profiles.update(profile.id, bodyOf(changes, amounts), write)
          : flightdeck.profiles.create(bodyOf(changes, amounts), write)
      }
      instead={({ error, changes, reason }) =>
        profile && (
          <ProposeInstead
            error={error}
            instead={() => ({
              title: `Edit ${profile.name}`,
              description: reason,
              operations: [updateOf(profile, form.version, bodyOf(changes, amounts))],
            })}
            onDone={() => {
              form.reset()
              onClose()
            }}
          />
        )
      }
      stored={async () =>
        storedIn(await flightdeck.profiles.get(profile?.id ?? ''), (stored) =>
          valuesOf(stored, exponent),
        )
      }
    >
      <ProfileFields form={form} isNew={!profile} />
    </FormDialog>
  )
}

const updateOf = ({ id, version }: Profile, based: number | null, body: Body<'updateProfile'>) =>
  ({ op: 'update', resource: 'profile', id, version: based ?? version, body }) as const

type FieldsProps = { form: Form<ProfileValues>; isNew: boolean }

const ProfileFields = ({ form, isNew }: FieldsProps) => (
  <>
    <TextField label="Name" {...form.field('name')} />
    <FieldRow>
      <SelectField
        label="Platform"
        choices={choicesOf('Platform')}
        disabled={!isNew}
        hint={isNew ? undefined : 'Cannot be changed.'}
        {...form.field('platform')}
      />
      <SelectField label="Status" choices={choicesOf('ProfileStatus')} {...form.field('status')} />
    </FieldRow>
    <TextField label="Client" optional hint="Whose account it is." {...form.field('client')} />
    <Money form={form} />
    <FieldRow>
      <ZoneField label="Time zone" {...form.field('time_zone')} />
      <SelectField
        label="Country"
        optional
        choices={[{ value: null, name: 'Not stated' }, ...countryChoices()]}
        {...form.field('country')}
      />
    </FieldRow>
    <LabelsField label="Labels" optional {...form.field('labels')} />
    <LongTextField label="Notes" optional {...form.field('notes')} />
    <ExpertFields form={form} />
  </>
)

const ProxyField = ({ form }: { form: Form<ProfileValues> }) => (
  <ObjectField
    label="Proxy"
    optional
    hint="For your own tools; nothing is sent through it."
    kind="proxies"
    find={(q) => flightdeck.proxies.list({ q, sort: 'name', limit: 20 })}
    get={(id) => flightdeck.proxies.get(id)}
    about={({ country, status }) =>
      [country && countryName(country), nameOf(status)].filter(Boolean).join(' · ')
    }
    {...form.field('proxy_id')}
  />
)

const expert = ['account_ref', 'proxy_id', 'external_id', 'credential_ref', 'metadata'] as const

const ExpertFields = ({ form }: { form: Form<ProfileValues> }) => (
  <More
    about="account at the platform, proxy, external id, credential reference, metadata"
    fields={expert.map((name) => form.field(name))}
  >
    <TextField label="Account at the platform" optional {...form.field('account_ref')} />
    <ProxyField form={form} />
    <TextField
      label="External id"
      optional
      hint="Its id in your own systems."
      {...form.field('external_id')}
    />
    <TextField
      label="Credential reference"
      optional
      hint="Where your vault keeps the account’s credential; never the credential itself."
      {...form.field('credential_ref')}
    />
    <MetadataField label="Metadata" hint="Your own keys and values." {...form.field('metadata')} />
  </More>
)

function Money({ form: { field, values, initial } }: { form: Form<ProfileValues> }) {
  const currencies = useCurrencies().map(({ currency }) => ({ value: currency, name: currency }))
  return (
    <>
      <SelectField
        label="Currency"
        optional
        choices={[{ value: null, name: 'Any' }, ...currencies]}
        hint="The one that its campaigns must have."
        {...field('currency')}
      />
      <FieldRow>
        <MoneyField
          label="Daily cap"
          optional
          hint="What its running campaigns may cost in a day."
          currency={values.currency}
          per="a day"
          was={initial.daily_budget_cap}
          {...field('daily_budget_cap')}
        />
        <MoneyField
          label="Monthly cap"
          optional
          hint="What may be spent in a month."
          currency={values.currency}
          per="a month"
          was={initial.monthly_spend_cap}
          {...field('monthly_spend_cap')}
        />
      </FieldRow>
    </>
  )
}
