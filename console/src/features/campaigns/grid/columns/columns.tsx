import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { nameOf } from '../../../../data/choices.ts'
import { profileNames } from '../../../../data/profile-names.ts'
import { Tooltip } from '../../../../ui/layers/tooltip.tsx'
import { Money } from '../../../../ui/values/money.tsx'
import { CampaignStatus, DeploymentStatus } from '../../../../ui/values/object-status.tsx'
import { Cut, Soft } from '../../../../ui/values/text.tsx'
import { Age, Time } from '../../../../ui/values/time.tsx'
import styles from '../grid.module.css'
import type { GridColumn, GridRow } from './column.ts'
import { DeliveryStatus } from './delivery-status.tsx'
import { metricColumns, pacingColumns } from './pacing-columns.tsx'
import { UnderName } from './under-name.tsx'

const text = (value: string | null | undefined) => (value ? <Cut text={value} /> : <Soft>–</Soft>)

const identity = [
  {
    id: 'name',
    header: 'Name',
    width: 260,
    fields: [],
    sort: 'name',
    edits: 'name',
    isControl: true,
    cell: (row, { tabIndex }) => (
      <>
        <Tooltip text={row.name} whenCut>
          <Link
            to="/campaigns/$id"
            params={{ id: row.id }}
            tabIndex={tabIndex}
            preload={false}
            dir="auto"
            className={styles.cut}
          >
            {row.name}
          </Link>
        </Tooltip>
        <UnderName row={row} />
      </>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    width: 134,
    fields: ['status'],
    cell: ({ status }) => <CampaignStatus status={status} />,
  },
  {
    id: 'delivery',
    header: 'Delivery',
    width: 168,
    fields: ['delivery'],
    cell: ({ delivery, status }) => <DeliveryStatus delivery={delivery} status={status} />,
  },
  {
    id: 'network',
    header: 'On network',
    width: 134,
    fields: ['deployment'],
    cell: ({ deployment }) => (deployment ? <DeploymentStatus {...deployment} /> : <Soft>–</Soft>),
  },
  {
    id: 'objective',
    header: 'Objective',
    width: 124,
    fields: ['objective'],
    cell: ({ objective }) => text(objective && nameOf(objective)),
  },
  {
    id: 'profile',
    header: 'Profile',
    width: 168,
    fields: ['profile_id'],
    cell: ({ profile_id }) => <OfProfile id={profile_id} what="name" />,
  },
  {
    id: 'client',
    header: 'Client',
    width: 140,
    fields: ['profile_id'],
    cell: ({ profile_id }) => <OfProfile id={profile_id} what="client" />,
  },
  {
    id: 'labels',
    header: 'Labels',
    width: 180,
    fields: ['labels'],
    edits: 'labels',
    cell: ({ labels = [] }) =>
      labels.length === 0 ? (
        <Soft>–</Soft>
      ) : (
        <Tooltip text={labels.join(', ')} whenCut>
          <span className={styles.labels}>
            {labels.map((label) => (
              <span key={label} className={styles.label}>
                {label}
              </span>
            ))}
          </span>
        </Tooltip>
      ),
  },
] satisfies readonly GridColumn[]

const budgets = [
  {
    id: 'daily_budget',
    header: 'Daily budget',
    width: 138,
    fields: ['daily_budget_minor'],
    sort: 'daily_budget',
    align: 'end',
    edits: 'daily_budget',
    cell: (row) => <Budget minor={row.daily_budget_minor} row={row} />,
  },
  {
    id: 'lifetime_budget',
    header: 'Lifetime budget',
    width: 150,
    fields: ['lifetime_budget_minor'],
    align: 'end',
    edits: 'lifetime_budget',
    cell: (row) => <Budget minor={row.lifetime_budget_minor} row={row} />,
  },
] satisfies readonly GridColumn[]

const times = [
  {
    id: 'start_at',
    header: 'Start',
    width: 218,
    fields: ['start_at', 'launched_at'],
    edits: 'start_at',
    cell: ({ start_at, launched_at, time_zone }) => (
      <Time time={start_at ?? launched_at ?? null} zone={time_zone} none="At launch" />
    ),
  },
  {
    id: 'end_at',
    header: 'End',
    width: 218,
    fields: ['end_at'],
    sort: 'end_at',
    edits: 'end_at',
    cell: ({ end_at = null, time_zone }) => <Time time={end_at} zone={time_zone} none="Never" />,
  },
  {
    id: 'time_zone',
    header: 'Time zone',
    width: 150,
    fields: [],
    cell: ({ time_zone }) => text(time_zone),
  },
  {
    id: 'schedule',
    header: 'Week schedule',
    width: 130,
    fields: ['schedule'],
    cell: ({ schedule = [] }) => (schedule.length === 0 ? 'Always' : `${schedule.length} windows`),
  },
] satisfies readonly GridColumn[]

const administration = [
  {
    id: 'external_id',
    header: 'External id',
    width: 140,
    fields: ['external_id'],
    cell: ({ external_id }) => text(external_id),
  },
  {
    id: 'launched_at',
    header: 'Launched',
    width: 120,
    fields: ['launched_at'],
    cell: ({ launched_at = null }) => <Age time={launched_at} />,
  },
  {
    id: 'created_at',
    header: 'Created',
    width: 120,
    fields: ['created_at'],
    sort: 'created_at',
    cell: ({ created_at = null }) => <Age time={created_at} />,
  },
  {
    id: 'created_by',
    header: 'Created by',
    width: 140,
    fields: ['created_by_name'],
    cell: ({ created_by_name }) => text(created_by_name),
  },
  {
    id: 'updated_at',
    header: 'Changed',
    width: 120,
    fields: ['updated_at'],
    sort: 'updated_at',
    cell: ({ updated_at = null }) => <Age time={updated_at} />,
  },
  {
    id: 'updated_by',
    header: 'Changed by',
    width: 140,
    fields: ['updated_by_name'],
    cell: ({ updated_by_name }) => text(updated_by_name),
  },
  {
    id: 'version',
    header: 'Version',
    width: 84,
    fields: ['version'],
    align: 'end',
    cell: ({ version }) => version,
  },
  {
    id: 'id',
    header: 'Id',
    width: 264,
    fields: [],
    cell: ({ id }) => text(id),
  },
] satisfies readonly GridColumn[]

type Described = typeof identity | typeof budgets | typeof times | typeof administration

/** The fields of a campaign that some column shows. */
export type ShownField = Described[number]['fields'][number]

export const columns: readonly GridColumn[] = [
  ...identity,
  ...budgets,
  ...pacingColumns,
  ...metricColumns,
  ...times,
  ...administration,
]

function OfProfile({ id, what }: { id: string | undefined; what: 'name' | 'client' }) {
  const { data } = useQuery(profileNames)
  return text(data?.get(id ?? '')?.[what])
}

const Budget = ({ minor = null, row }: { minor: number | null | undefined; row: GridRow }) => (
  <Money minor={minor} currency={row.currency} exponent={row.currency_exponent} />
)
