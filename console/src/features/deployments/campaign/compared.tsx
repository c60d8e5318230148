import type { ReactNode } from 'react'
import { nameOf } from '../../../data/choices.ts'
import { scheduleText } from '../../../data/values/week.ts'
import { type Column, Table } from '../../../ui/lists/table.tsx'
import { Section } from '../../../ui/page.tsx'
import { Money } from '../../../ui/values/money.tsx'
import { Status } from '../../../ui/values/status.tsx'
import { Soft } from '../../../ui/values/text.tsx'
import { Age, Time } from '../../../ui/values/time.tsx'
import type { Deployment } from '../queries.ts'
import type { ManagedField } from '../words.ts'

type Plan = NonNullable<Deployment['observed']> | Deployment['desired']
type Member = keyof typeof members

/** Members that are compared, by the field that each belongs to. */
const members = {
  name: { field: 'name', header: 'Name' },
  run: { field: 'status', header: 'Runs' },
  daily_budget_minor: { field: 'budget', header: 'Daily budget' },
  lifetime_budget_minor: { field: 'budget', header: 'Lifetime budget' },
  start_at: { field: 'dates', header: 'Start' },
  end_at: { field: 'dates', header: 'End' },
  time_zone: { field: 'dates', header: 'Time zone' },
  schedule: { field: 'schedule', header: 'Week schedule' },
} as const satisfies Record<string, { field: ManagedField; header: string }>

type Compare = 'same' | 'differs' | 'waits' | 'unseen' | 'unmanaged' | 'emulated'

type ComparedRow = {
  id: Member
  header: string
  desired: Plan
  observed: Plan | null
  compare: Compare
  since: string | null
}

type ComparedProps = { deployment: Deployment; exponent: number }

const names = Object.keys(members) as Member[]

function rowOf(deployment: Deployment, id: Member): ComparedRow {
  const { desired, observed, drift } = deployment
  const { field, header } = members[id]
  const since = drift.find((each) => each.field === field)?.since ?? null
  return { id, header, desired, observed, compare: compared(deployment, id), since }
}

function compared(deployment: Deployment, id: Member): Compare {
  const { desired, observed, drift, coverage, managed_fields } = deployment
  const { field } = members[id]
  if (!managed_fields.includes(field)) return 'unmanaged'
  const seen = observed?.[id]
  if (coverage[field] === 'emulated' && field !== 'status') return 'emulated'
  if (seen === undefined) return 'unseen'
  if (JSON.stringify(seen) === JSON.stringify(desired[id])) return 'same'
  return drift.some((each) => each.field === field) ? 'differs' : 'waits'
}

/** Both sides of everything that a network can hold. */
export const Compared = ({ deployment, exponent }: ComparedProps) => (
  <Section title="Should be, and is">
    <Table
      caption="The campaign beside what its network shows"
      rows={names.map((id) => rowOf(deployment, id))}
      columns={columnsWith(exponent)}
    />
  </Section>
)

/** Only what differs. */
export function Differences({ deployment, exponent }: ComparedProps) {
  const rows = names
    .map((id) => rowOf(deployment, id))
    .filter(({ compare }) => compare === 'differs' || compare === 'waits')
  if (rows.length === 0) return <Soft>Nothing differs.</Soft>
  return (
    <Table
      caption="What differs"
      rows={rows}
      columns={columnsWith(exponent).filter(({ id }) => id !== 'compare')}
    />
  )
}

const columnsWith = (exponent: number): readonly Column<ComparedRow>[] => [
  { id: 'field', header: 'What', cell: ({ header }) => header },
  {
    id: 'desired',
    header: 'Should be',
    wrap: true,
    cell: ({ id, desired }) => <Value id={id} plan={desired} exponent={exponent} />,
  },
  {
    id: 'observed',
    header: 'In the network',
    wrap: true,
    cell: ({ id, observed }) => <Value id={id} plan={observed} exponent={exponent} />,
  },
  { id: 'compare', header: 'Compared', wrap: true, cell: (row) => <Outcome row={row} /> },
]

function Outcome({ row: { compare, since } }: { row: ComparedRow }) {
  if (compare === 'same') return <Status tone="good">Same</Status>
  if (compare === 'waits') return <Status tone="info">Not there yet</Status>
  if (compare === 'differs') {
    return (
      <>
        <Status tone="warn">Differs</Status> since <Age time={since} />
      </>
    )
  }
  return <Soft>{texts[compare]}</Soft>
}

const texts = {
  unseen: 'Not seen yet',
  unmanaged: 'Left to the network',
  emulated: 'Kept by the connector',
} as const

type ValueProps = { id: Member; plan: Plan | null; exponent: number }

function Value({ id, plan, exponent }: ValueProps) {
  const value = plan?.[id]
  if (!plan || value === undefined) return <Soft>–</Soft>
  if (id === 'schedule') return scheduleText(plan.schedule ?? [])
  if (typeof value === 'object' && value !== null) return null
  const shown = showing[id] ?? plainly
  return shown(value, { currency: plan.currency ?? '', exponent })
}

type InCurrency = { currency: string; exponent: number }
type Plain = string | number | null
type Show = (value: Plain, money: InCurrency) => ReactNode

const plainly: Show = (value) =>
  value === null ? <Soft>–</Soft> : <span dir="auto">{`${value}`}</span>

const asMoney: Show = (value, money) => (
  <Money minor={typeof value === 'number' ? value : null} {...money} none="No limit" />
)

const asTime =
  (none: string): Show =>
  (value) => <Time time={typeof value === 'string' ? value : null} none={none} />

const showing: Readonly<Partial<Record<Member, Show>>> = {
  run: (value) => (value === null ? <Soft>–</Soft> : nameOf(`${value}`)),
  daily_budget_minor: asMoney,
  lifetime_budget_minor: asMoney,
  start_at: asTime('At once'),
  end_at: asTime('Never'),
}
