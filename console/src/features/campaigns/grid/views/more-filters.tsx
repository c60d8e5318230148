import type { Query } from '@flightdeckhq/sdk'
import { useQuery } from '@tanstack/react-query'
import { choicesOf, nameOf } from '../../../../data/choices.ts'
import { profileNames } from '../../../../data/profile-names.ts'
import { many, one, useScreenState } from '../../../../data/search.ts'
import { useCurrencies } from '../../../../data/values/currencies.ts'
import { instantOf, ownZone, wallOf } from '../../../../data/values/time.ts'
import { classes } from '../../../../ui/classes.ts'
import { CheckList } from '../../../../ui/fields/check-list.tsx'
import { DateField } from '../../../../ui/fields/date-input.tsx'
import { CheckField, FieldRow, SelectField } from '../../../../ui/fields/fields.tsx'
import { LabelsField } from '../../../../ui/fields/labels-field.tsx'
import fieldStyles from '../../../../ui/fields.module.css'
import styles from './filters.module.css'
import { MetricFilter } from './metric-filter.tsx'
import { MoneyBound } from './money-bound.tsx'

/** The reasons that a list is filtered by. */
type FilterReason = Exclude<Query<'listCampaigns'>['delivery_reason'], string | undefined>[number]
const reasons: readonly FilterReason[] = [
  'not_launched',
  'pending_review',
  'before_start',
  'outside_schedule',
  'after_end',
  'paused',
  'completed',
  'archived',
  'profile_not_active',
  'proxy_failing',
  'organization_suspended',
  'network_not_delivering',
  'network_drift',
  'connector_stale',
]
const reasonChoices = reasons.map((value) => ({ value, name: nameOf(value) }))
/** The filters that are used less. */
export default function MoreFilters() {
  const [search, setSearch] = useScreenState()
  const { data } = useQuery(profileNames)
  const profiles = [...(data?.values() ?? [])]
  const clients = [...new Set(profiles.flatMap(({ client }) => client ?? []))].sort()
  const lists = [
    ['delivery_reason', 'Why it does not deliver', reasonChoices],
    ['deployment_state', 'On network', choicesOf('DeploymentState')],
    ['objective', 'Objective', choicesOf('Objective')],
    ['profile_id', 'Profile', profiles.map(({ id, name }) => ({ value: id, name }))],
    ['client', 'Client', clients.map((client) => ({ value: client, name: client }))],
  ] as const
  return (
    <div className={classes(fieldStyles.form, styles.panel)}>
      {lists.map(([name, label, choices]) => (
        <details key={name} open={search[name] !== undefined} className={styles.section}>
          <summary>{label}</summary>
          <CheckList name={name} label={label} choices={choices} />
        </details>
      ))}
      <LabelsField
        label="Labels"
        optional="understood"
        hint="Campaigns with any of them."
        name="label"
        fault={undefined}
        value={many(search.label)}
        onChange={(labels) => setSearch({ label: labels.length > 0 ? labels : undefined })}
      />
      <BudgetFilter />
      <DayRange label="Start" name="start" />
      <DayRange label="End" name="end" />
      <CheckField
        label="Archived too"
        name="include_archived"
        fault={undefined}
        value={one(search.include_archived) === 'true'}
        onChange={(isOn) => setSearch({ include_archived: isOn ? 'true' : undefined })}
      />
    </div>
  )
}

function BudgetFilter() {
  const [search, setSearch] = useScreenState()
  const currencies = useCurrencies().map(({ currency }) => ({ value: currency, name: currency }))
  const chosen = many(search.currency)
  const [currency = null] = chosen
  return (
    <>
      <SelectField
        label="Currency"
        optional="understood"
        choices={[
          { value: null, name: chosen.length > 1 ? chosen.join(', ') : 'Any' },
          ...currencies,
        ]}
        name="currency"
        fault={undefined}
        value={chosen.length > 1 ? null : currency}
        onChange={(value) => setSearch({ currency: value ?? undefined })}
      />
      {chosen.length === 1 && (
        <FieldRow>
          <MoneyBound label="Daily budget from" name="daily_budget_min" currency={currency} />
          <MoneyBound label="Daily budget to" name="daily_budget_max" currency={currency} />
        </FieldRow>
      )}
      <MetricFilter currency={chosen.length === 1 ? currency : null} />
    </>
  )
}

/** Days of the reader's own clock. What is sent are instants, the same for everyone who gets the link. */
function DayRange({ label, name }: { label: string; name: 'start' | 'end' }) {
  const [search, setSearch] = useScreenState()
  const field = (bound: 'after' | 'before') => {
    const inAddress = one(search[`${name}_${bound}`])
    return {
      name: `${name}_${bound}`,
      optional: 'understood' as const,
      fault: undefined,
      value: inAddress ? dayOf(inAddress) : null,
      onChange: (day: string | null) =>
        setSearch({ [`${name}_${bound}`]: day ? instantOf(`${day}T00:00`, ownZone) : undefined }),
    }
  }
  return (
    <FieldRow>
      <DateField label={`${label} from`} {...field('after')} />
      <DateField label={`${label} before`} {...field('before')} />
    </FieldRow>
  )
}

const dayOf = (time: string): string =>
  Number.isNaN(Date.parse(time)) ? '' : wallOf(time, ownZone).slice(0, 10)
