import { useQuery } from '@tanstack/react-query'
import { nameOf } from '../../data/choices.ts'
import { scheduleText } from '../../data/values/week.ts'
import type { Campaign, Schema } from '../../flightdeck.ts'
import { Table } from '../../ui/lists/table.tsx'
import { Facts } from '../../ui/page.tsx'
import { Money } from '../../ui/values/money.tsx'
import { Soft } from '../../ui/values/text.tsx'
import { Time } from '../../ui/values/time.tsx'
import { profileQuery } from '../profiles/queries.ts'

type Approved = Schema<'CampaignApproval'>
type Plan = Pick<Campaign, Exclude<keyof Approved, 'by' | 'at'>> & { currency_exponent: number }

/** A profile by its name; by its id until that is known. */
export function ProfileName({ id }: { id: string }) {
  return useQuery(profileQuery(id)).data?.name ?? id
}

const terms: readonly {
  field: keyof Approved
  name: string
  show: (plan: Plan) => React.ReactNode
}[] = [
  { field: 'daily_budget_minor', name: 'Daily budget', show: (plan) => budget(plan, 'daily') },
  {
    field: 'lifetime_budget_minor',
    name: 'Lifetime budget',
    show: (plan) => budget(plan, 'lifetime'),
  },
  {
    field: 'start_at',
    name: 'Start',
    show: (plan) => <Time time={plan.start_at} zone={plan.time_zone} none="When it is launched" />,
  },
  {
    field: 'end_at',
    name: 'End',
    show: (plan) => <Time time={plan.end_at} zone={plan.time_zone} none="Never" />,
  },
  { field: 'schedule', name: 'Week schedule', show: ({ schedule }) => scheduleText(schedule) },
  { field: 'objective', name: 'Objective', show: ({ objective }) => nameOf(objective) },
  {
    field: 'profile_id',
    name: 'Profile',
    show: ({ profile_id }) => <ProfileName id={profile_id} />,
  },
  { field: 'currency', name: 'Currency', show: ({ currency }) => currency },
  { field: 'time_zone', name: 'Time zone', show: ({ time_zone }) => time_zone },
]

const budget = (plan: Plan, kind: 'daily' | 'lifetime') => (
  <Money
    minor={plan[`${kind}_budget_minor`]}
    currency={plan.currency}
    exponent={plan.currency_exponent}
    none="No limit"
  />
)

/** The terms to which a person agrees who launches or approves a campaign. */
export const Terms = ({ campaign }: { campaign: Campaign }) => (
  <Facts facts={terms.map(({ name, show }) => [name, show(campaign)])} />
)

/** The terms that differ from those approved before. */
export function ApprovedTerms({ campaign }: { campaign: Campaign }) {
  const { approved } = campaign
  if (!approved) return <Soft>Nothing of it was approved before.</Soft>
  const before = { ...approved, currency_exponent: campaign.currency_exponent }
  const changed = terms.filter(
    ({ field }) =>
      JSON.stringify(campaign[field as keyof Plan]) !== JSON.stringify(approved[field]),
  )
  if (changed.length === 0) return <Soft>These are the terms that were approved before.</Soft>
  return (
    <Table
      caption="What differs from what was approved before"
      rows={changed.map((term) => ({ ...term, id: term.field }))}
      columns={[
        { id: 'name', header: 'Term', cell: ({ name }) => name },
        { id: 'before', header: 'Approved before', cell: ({ show }) => show(before) },
        { id: 'now', header: 'Asked for now', cell: ({ show }) => show(campaign) },
      ]}
    />
  )
}
