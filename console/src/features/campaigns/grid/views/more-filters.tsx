import type { Query } from '@flightdeckhq/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { choicesOf, nameOf } from '../../../../data/choices.ts'
import { profileNames } from '../../../../data/profile-names.ts'
import { many, one, useScreenState } from '../../../../data/search.ts'
import { decimalIn, doubtOf, typedDecimal } from '../../../../data/typed.ts'
import { useCurrencies } from '../../../../data/values/currencies.ts'
import { instantOf, ownZone, wallOf } from '../../../../data/values/time.ts'
import { classes } from '../../../../ui/classes.ts'
import { CheckList } from '../../../../ui/fields/check-list.tsx'
import { DateField } from '../../../../ui/fields/date-input.tsx'
import { CheckField, FieldRow, SelectField } from '../../../../ui/fields/fields.tsx'
import { LabelsField } from '../../../../ui/fields/labels-field.tsx'
import { MoneyField } from '../../../../ui/fields/money-field.tsx'
import fieldStyles from '../../../../ui/fields.module.css'
import styles from './filters.module.css'

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
          <BudgetBound label="Daily budget from" name="daily_budget_min" currency={currency} />
          <BudgetBound label="Daily budget to" name="daily_budget_max" currency={currency} />
        </FieldRow>
      )}
      {chosen.length === 1 && (
        <FieldRow>
          <BudgetBound label="CPA from" name="metric.cpa_min" currency={currency} />
          <BudgetBound label="CPA to" name="metric.cpa_max" currency={currency} />
        </FieldRow>
      )}
      <MetricDays />
    </>
  )
}

const windows = [
  { value: null, name: 'Last 7 days' },
  { value: '14d', name: 'Last 14 days' },
  { value: '30d', name: 'Last 30 days' },
  { value: 'this_month', name: 'This month' },
  { value: 'last_month', name: 'Last month' },
]

/** The days that bounds and orders by a metric are about. */
function MetricDays() {
  const [search, setSearch] = useScreenState()
  return (
    <SelectField
      label="Days of CPA, spend and the like"
      optional="understood"
      choices={windows}
      name="metric_window"
      fault={undefined}
      value={one(search.metric_window) ?? null}
      onChange={(value) => setSearch({ metric_window: value ?? undefined })}
    />
  )
}

type BoundProps = {
  label: string
  name: ('daily_budget_min' | 'daily_budget_max') | ('metric.cpa_min' | 'metric.cpa_max')
  currency: string | null
}

/**
 * A bound of the budget. The text stays as typed; the list is filtered by an amount that reads one
 * way.
 */
function BudgetBound({ label, name, currency }: BoundProps) {
  const [search, setSearch] = useScreenState()
  const applied = one(search[name]) ?? null
  const [typed, setTyped] = useState<string | null>(null)
  const isApplied = typed !== null && boundOf(typed, currency) === applied
  const isDoubtful = typed !== null && doubtOf(typed, currency) !== undefined
  const change = (value: string | null) => {
    setTyped(value)
    if (value === null || !doubtOf(value, currency))
      setSearch({ [name]: value === null ? undefined : decimalIn(value, currency) })
  }
  return (
    <MoneyField
      label={label}
      name={name}
      currency={currency}
      optional="understood"
      fault={undefined}
      value={isApplied || isDoubtful ? typed : applied && typedDecimal(applied, currency)}
      onChange={change}
    />
  )
}

const boundOf = (typed: string, currency: string | null): string | null =>
  doubtOf(typed, currency) ? null : decimalIn(typed, currency)

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
