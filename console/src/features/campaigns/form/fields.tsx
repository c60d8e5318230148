import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { nameOf } from '../../../data/choices.ts'
import { useOnlyClient } from '../../../data/only-client.ts'
import { useCurrencies } from '../../../data/values/currencies.ts'
import { inZone, isZone } from '../../../data/values/time.ts'
import { scheduleText } from '../../../data/values/week.ts'
import { flightdeck, type Profile } from '../../../flightdeck.ts'
import { FieldRow, LongTextField, SelectField, TextField } from '../../../ui/fields/fields.tsx'
import type { Form } from '../../../ui/fields/form.ts'
import { LabelsField } from '../../../ui/fields/labels-field.tsx'
import { MoneyField } from '../../../ui/fields/money-field.tsx'
import { More } from '../../../ui/fields/more.tsx'
import { ObjectField } from '../../../ui/fields/object-field.tsx'
import { MetadataField } from '../../../ui/fields/pairs-field.tsx'
import { ScheduleField } from '../../../ui/fields/schedule-field.tsx'
import { TimeField } from '../../../ui/fields/time-field.tsx'
import { ZoneField } from '../../../ui/fields/zone-field.tsx'
import { profileQuery } from '../../profiles/queries.ts'
import { objectivesQuery } from '../queries.ts'
import { TargetField } from '../target/target-field.tsx'
import styles from './fields.module.css'
import type { CampaignValues } from './values.ts'

/** Returns the reason why a field cannot be changed; null if it can. */
export type Fixed = (field: keyof CampaignValues) => string | null

type FieldsForm = Pick<Form<CampaignValues>, 'field' | 'values' | 'initial' | 'set'>
type FieldsProps = { form: FieldsForm; fixed: Fixed }
type CampaignFieldsProps = FieldsProps & {
  /** A template presets what campaigns have in common. */
  isTemplate?: boolean
}

/** The fields of a campaign. Those that are fixed are shown, and say by what. */
export function CampaignFields({ form, fixed, isTemplate = false }: CampaignFieldsProps) {
  const { field, values } = form
  const { data: profile } = useQuery({
    ...profileQuery(values.profile_id ?? ''),
    enabled: values.profile_id !== null,
  })
  const zone = zoneOf(values, profile)
  return (
    <>
      <Editable fixed={fixed('name')}>
        <TextField
          label="Name"
          optional={isTemplate}
          {...field('name')}
          onChange={(name) => form.set({ name: name ?? '' })}
        />
      </Editable>
      <FieldRow>
        <Editable fixed={fixed('profile_id')}>
          <ProfileField form={form} before={profile} optional={isTemplate} />
        </Editable>
        <Editable fixed={fixed('objective')}>
          <ObjectiveField form={form} optional={isTemplate} />
        </Editable>
      </FieldRow>
      <Budgets form={form} fixed={fixed} profile={profile} isTemplate={isTemplate} />
      <Editable fixed={fixed('target')}>
        <TargetField {...field('target')} currency={values.currency} />
      </Editable>
      <Flight form={form} fixed={fixed} profile={profile} zone={zone} />
      <Hours form={form} fixed={fixed} zone={zone} />
      <OwnFields form={form} fixed={fixed} isTemplate={isTemplate} />
    </>
  )
}

/** Notes that people and their systems keep on it. */
const OwnFields = ({ form: { field }, fixed, isTemplate }: CampaignFieldsProps) => (
  <>
    <Editable fixed={fixed('labels')}>
      <LabelsField label="Labels" optional {...field('labels')} />
    </Editable>
    <Editable fixed={fixed('notes')}>
      <LongTextField label="Notes" optional {...field('notes')} />
    </Editable>
    <More
      about={isTemplate ? 'metadata' : 'external id, metadata'}
      fields={[...(isTemplate ? [] : [field('external_id')]), field('metadata')]}
    >
      {!isTemplate && (
        <Editable fixed={fixed('external_id')}>
          <TextField
            label="External id"
            optional
            hint="Its id in your own systems."
            {...field('external_id')}
          />
        </Editable>
      )}
      <Editable fixed={fixed('metadata')}>
        <MetadataField label="Metadata" hint="Your own keys and values." {...field('metadata')} />
      </Editable>
    </More>
  </>
)

type EditableProps = { fixed: string | null; children: ReactNode }

const Editable = ({ fixed, children }: EditableProps) => (
  <fieldset disabled={fixed !== null} className={styles.editable}>
    {children}
    {fixed && <p className={styles.fixed}>{fixed}</p>}
  </fieldset>
)

/** Times are typed on this zone's clock: the campaign's own, else its profile's. */
const zoneOf = ({ time_zone: zone }: CampaignValues, profile: Profile | undefined): string =>
  zone && isZone(zone) ? zone : (profile?.time_zone ?? 'UTC')

/** Another zone leaves the wall clock times as they were typed. */
function inOtherZone({ start_at, end_at }: CampaignValues, from: string, to: string) {
  const move = (time: string | null) => time && inZone(time, from, to)
  return from === to ? {} : { start_at: move(start_at), end_at: move(end_at) }
}

type ProfileFieldProps = OptionalProps & { before: Profile | undefined }

function ProfileField({ form, before, optional }: ProfileFieldProps) {
  const { values } = form
  const only = useOnlyClient()
  const choose = (profile_id: string | null, profile: Profile | null) => {
    const zones = [zoneOf(values, before), zoneOf(values, profile ?? undefined)] as const
    form.set({
      profile_id,
      ...(profile?.currency && { currency: profile.currency }),
      ...inOtherZone(values, ...zones),
    })
  }
  return (
    <ObjectField
      label="Profile"
      optional={optional}
      hint="The advertiser account that it runs under."
      kind="profiles"
      find={(q) =>
        flightdeck.profiles.list({
          ...only,
          q,
          status: ['active', 'paused', 'suspended'],
          sort: 'name',
          limit: 20,
        })
      }
      get={(id) => flightdeck.profiles.get(id)}
      about={({ platform, client }) => [nameOf(platform), client].filter(Boolean).join(' · ')}
      {...form.field('profile_id')}
      onChange={choose}
    />
  )
}

type OptionalProps = { form: FieldsForm; optional: boolean }

function ObjectiveField({ form, optional }: OptionalProps) {
  const { data = [] } = useQuery(objectivesQuery)
  const chosen = data.find(({ objective }) => objective === form.values.objective)
  return (
    <SelectField
      label="Objective"
      optional={optional}
      choices={[
        { value: null, name: optional ? 'None' : 'Choose one' },
        ...data.map(({ objective }) => ({ value: objective, name: nameOf(objective) })),
      ]}
      hint={
        chosen && chosen.aliases.length > 0
          ? `At the networks: ${chosen.aliases.join(', ')}`
          : 'What it is to achieve.'
      }
      {...form.field('objective')}
    />
  )
}

type BudgetsProps = CampaignFieldsProps & { profile: Profile | undefined }

function Budgets({ form, fixed, profile, isTemplate = false }: BudgetsProps) {
  const { field, values, initial } = form
  const currencies = useCurrencies().map(({ currency }) => ({ value: currency, name: currency }))
  const follows = profile?.currency ? `${profile.currency}, as its profile has.` : null
  return (
    <FieldRow>
      <Editable fixed={fixed('daily_budget')}>
        <MoneyField
          label="Daily budget"
          optional
          hint="The most to spend in a day."
          currency={values.currency}
          per="a day"
          was={initial.daily_budget}
          {...field('daily_budget')}
        />
      </Editable>
      <Editable fixed={fixed('lifetime_budget')}>
        <MoneyField
          label="Lifetime budget"
          optional
          hint={`The most to spend in all.${isTemplate ? '' : ' One of the two is needed.'}`}
          currency={values.currency}
          per="in all"
          was={initial.lifetime_budget}
          {...field('lifetime_budget')}
        />
      </Editable>
      <Editable fixed={fixed('currency') ?? follows}>
        <SelectField
          label="Currency"
          optional={isTemplate}
          choices={[{ value: null, name: isTemplate ? 'None' : 'Choose one' }, ...currencies]}
          {...field('currency')}
        />
      </Editable>
    </FieldRow>
  )
}

type FlightProps = FieldsProps & { profile: Profile | undefined; zone: string }

function Flight({ form, fixed, profile, zone }: FlightProps) {
  const { field, values } = form
  const changeZone = (typed: string) => {
    const time_zone = typed === '' ? null : typed
    form.set({ time_zone, ...inOtherZone(values, zone, zoneOf({ ...values, time_zone }, profile)) })
  }
  return (
    <FieldRow>
      <Editable fixed={fixed('start_at')}>
        <TimeField label="Start" optional zone={zone} {...field('start_at')} />
      </Editable>
      <Editable fixed={fixed('end_at')}>
        <TimeField label="End" optional zone={zone} {...field('end_at')} />
      </Editable>
      <Editable fixed={fixed('time_zone')}>
        <ZoneField
          label="Time zone"
          optional
          hint={
            profile ? `Empty: that of its profile, ${profile.time_zone}` : 'Empty: its profile’s'
          }
          {...field('time_zone')}
          value={values.time_zone ?? ''}
          onChange={changeZone}
        />
      </Editable>
    </FieldRow>
  )
}

/** Folded away, as most campaigns deliver always. */
function Hours({ form, fixed, zone }: FieldsProps & { zone: string }) {
  const schedule = form.field('schedule')
  return (
    <Editable fixed={fixed('schedule')}>
      <details open={schedule.fault !== undefined} className={styles.fold}>
        <summary>Week schedule: {scheduleText(schedule.value)}</summary>
        <ScheduleField
          label="Hours to deliver in"
          hint={`On the clock of ${zone}.`}
          disabled={fixed('schedule') !== null}
          {...schedule}
        />
      </details>
    </Editable>
  )
}
