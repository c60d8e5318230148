import type { Body } from '@flightdeckhq/sdk'
import { choicesOf, nameOf } from '../../data/choices.ts'
import { decimalIn, doubtsOf, typedMinor } from '../../data/typed.ts'
import { countryChoices, countryName } from '../../data/values/countries.ts'
import { useCurrencies, useExponent } from '../../data/values/currencies.ts'
import { ownZone } from '../../data/values/time.ts'
import { flightdeck, type Profile } from '../../flightdeck.ts'
import {
  FieldRow,
  LongTextField,
  MoneyField,
  SelectField,
  TextField,
} from '../../ui/fields/fields.tsx'
import { type Form, useForm } from '../../ui/fields/form.ts'
import { LabelsField } from '../../ui/fields/labels-field.tsx'
import { MetadataField } from '../../ui/fields/metadata-field.tsx'
import { ObjectField } from '../../ui/fields/object-field.tsx'
import { ZoneField } from '../../ui/fields/zone-field.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { ProposeInstead } from '../change-sets/tray/instead.tsx'

type ProfileFormProps = {
  profile?: Profile
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

function bodyOf(values: Partial<ProfileValues>, currency: string | null) {
  const amounts = caps.flatMap((cap) => {
    const typed = values[cap]
    return typeof typed === 'string' ? [[cap, decimalIn(typed, currency)]] : []
  })
  return { ...values, ...Object.fromEntries(amounts) }
}

/** Creates a profile, or changes one. */
export function ProfileForm({ profile, onDone, onClose }: ProfileFormProps) {
  const exponent = useExponent(profile?.currency ?? null)
  const form = useForm({
    draft: `profile ${profile?.id ?? 'new'}`,
    initial: valuesOf(profile, exponent),
    version: profile?.version ?? null,
    check: doubtsIn,
  })
  const { field } = form
  const bodyWith = (changes: Partial<ProfileValues>) => bodyOf(changes, form.values.currency)
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
          ? flightdeck.profiles.update(
              profile.id,
              bodyWith(changes) as Body<'updateProfile'>,
              write,
            )
          : flightdeck.profiles.create(bodyWith(changes) as Body<'createProfile'>, write)
      }
      {...(profile && {
        instead: ({ error, changes, reason }) => (
          <ProposeInstead
            error={error}
            instead={() => ({
              title: `Edit ${profile.name}`,
              description: reason,
              operations: [
                {
                  op: 'update',
                  resource: 'profile',
                  id: profile.id,
                  version: form.version ?? profile.version,
                  body: bodyWith(changes) as Body<'updateProfile'>,
                },
              ],
            })}
            onDone={() => {
              form.reset()
              onClose()
            }}
          />
        ),
      })}
      stored={async () => {
        const stored = await flightdeck.profiles.get(profile?.id ?? '')
        const { version, updated_by_name: changedBy = null } = stored
        return { values: valuesOf(stored, exponent), version, changedBy }
      }}
    >
      <TextField label="Name" {...field('name')} />
      <FieldRow>
        <SelectField
          label="Platform"
          choices={choicesOf('Platform')}
          disabled={Boolean(profile)}
          hint={profile && 'Cannot be changed.'}
          {...field('platform')}
        />
        <SelectField label="Status" choices={choicesOf('ProfileStatus')} {...field('status')} />
      </FieldRow>
      <FieldRow>
        <TextField label="Client" optional hint="Whose account it is." {...field('client')} />
        <TextField label="Account at the platform" optional {...field('account_ref')} />
      </FieldRow>
      <Money form={form} />
      <FieldRow>
        <ZoneField label="Time zone" {...field('time_zone')} />
        <SelectField
          label="Country"
          optional
          choices={[{ value: null, name: 'Not stated' }, ...countryChoices()]}
          {...field('country')}
        />
      </FieldRow>
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
        {...field('proxy_id')}
      />
      <LabelsField label="Labels" optional {...field('labels')} />
      <TextField
        label="External id"
        optional
        hint="Its id in your own systems."
        {...field('external_id')}
      />
      <TextField
        label="Credential reference"
        optional
        hint="Where your vault keeps the account’s credential; never the credential itself."
        {...field('credential_ref')}
      />
      <MetadataField label="Metadata" hint="Your own keys and values." {...field('metadata')} />
      <LongTextField label="Notes" optional {...field('notes')} />
    </FormDialog>
  )
}

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
