import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { nameOf } from '../../data/choices.ts'
import { saveFile } from '../../data/download.ts'
import { profileNames } from '../../data/profile-names.ts'
import { type Search, useScreenState } from '../../data/search.ts'
import { formatCount } from '../../data/values/numbers.ts'
import { formatDate } from '../../data/values/time.ts'
import { flightdeck } from '../../flightdeck.ts'
import { useMay } from '../../session.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import fieldStyles from '../../ui/fields.module.css'
import { sayTrouble } from '../../ui/layers/toast.tsx'
import { Empty } from '../../ui/lists/empty.tsx'
import { Filters } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Money } from '../../ui/values/money.tsx'
import { ObjectLink } from '../../ui/values/object-link.tsx'
import { Cut, Soft } from '../../ui/values/text.tsx'
import Views from '../views/views.tsx'
import { ClientsNamed } from './clients-named.tsx'
import { daysText, periodIn, periods } from './period.ts'
import {
  chosenIn,
  daysOf,
  type Grouping,
  groupingIn,
  groupings,
  type ResultGroup,
  resultList,
  resultQuery,
  totalsQuery,
} from './queries.ts'
import styles from './results.module.css'
import { Sources } from './sources.tsx'
import { Trend } from './trend.tsx'

export default function Results() {
  const [search] = useScreenState()
  const grouping = groupingIn(search)
  return (
    <Page
      title="Results"
      about="What your own connectors report of the networks; Flightdeck reads no network itself."
      actions={<Files search={search} />}
    >
      <Sources />
      <ResultFilters />
      <Trend search={search} />
      <Section title={`By ${grouping}`}>
        <Groups search={search} grouping={grouping} />
      </Section>
    </Page>
  )
}

function Files({ search }: { search: Search }) {
  const mayReport = useMay('reportResults')
  return (
    <>
      <Views resource="results" whole="All results" />
      <Button icon={<IconDownload aria-hidden />} onClick={() => void exportCsv(search)}>
        Export CSV
      </Button>
      {mayReport && (
        <LinkButton to="/results/import" look="primary" icon={<IconUpload aria-hidden />}>
          Import CSV
        </LinkButton>
      )}
    </>
  )
}

function Groups({ search, grouping }: { search: Search; grouping: Grouping }) {
  const days = daysOf(search)
  const query = useInfiniteQuery({ ...resultList(search), enabled: days !== null })
  if (!days) {
    return (
      <Notice tone="warn" title="The first day is after the last one.">
        <p>Choose other days.</p>
      </Notice>
    )
  }
  return (
    <>
      <p>
        <Soft>{daysText(days)}</Soft>
      </p>
      <Totals search={search} />
      <List
        caption={`Results by ${grouping}`}
        query={query}
        columns={columnsBy(grouping)}
        empty={
          <Empty title="No results in this period">
            Report them by the API, with <code>flightdeck results import</code>, or import a CSV
            file here.
          </Empty>
        }
      />
    </>
  )
}

function Totals({ search }: { search: Search }) {
  const { data = [] } = useQuery(totalsQuery(search))
  if (data.length === 0) return null
  return (
    <p className={styles.totals}>
      <Soft>In all</Soft>
      {data.map((row) => (
        <Money
          key={row.currency}
          minor={netOf(row)}
          currency={row.currency}
          exponent={row.currency_exponent}
        />
      ))}
    </p>
  )
}

async function exportCsv(search: Search): Promise<void> {
  try {
    const query = resultQuery(search) ?? {}
    await saveFile(await flightdeck.results.export({ ...query, format: 'csv' }), 'results.csv')
  } catch (error) {
    sayTrouble(error)
  }
}

const dates = [
  { name: 'from', label: 'From' },
  { name: 'until', label: 'To' },
]

function ResultFilters() {
  const { data } = useQuery(profileNames)
  const profiles = [...(data?.values() ?? [])]
  const clients = [...new Set(profiles.flatMap(({ client }) => client ?? []))].sort()
  const platforms = [...new Set(profiles.map(({ platform }) => platform))].sort()
  const filters = [
    { name: 'client', label: 'Client', choices: clients.map((value) => ({ value, name: value })) },
    {
      name: 'profile_id',
      label: 'Profile',
      choices: profiles.map(({ id, name }) => ({ value: id, name })),
    },
    {
      name: 'platform',
      label: 'Platform',
      choices: platforms.map((value) => ({ value, name: nameOf(value) })),
    },
  ].filter(({ choices }) => choices.length > 0)
  return (
    <Filters filters={filters} dates={dates} others={['period']}>
      <GroupBy />
      <PeriodChoice />
    </Filters>
  )
}

/** Days of the calendar by a word, which stays true tomorrow. */
function PeriodChoice() {
  const [search, setSearch] = useScreenState()
  const period = periodIn(chosenIn(search))
  return (
    <select
      aria-label="Period"
      className={classes(fieldStyles.input, styles.narrow)}
      value={period ?? ''}
      onChange={({ target }) =>
        setSearch({ period: target.value, from: undefined, until: undefined })
      }
    >
      {period === null && <option value="">Chosen days</option>}
      {periods.map(({ value, name }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  )
}

function GroupBy() {
  const [search, setSearch] = useScreenState()
  return (
    <select
      aria-label="Group by"
      className={classes(fieldStyles.input, styles.narrow)}
      value={groupingIn(search)}
      onChange={({ target }) => setSearch({ group_by: target.value })}
    >
      {groupings.map((each) => (
        <option key={each} value={each}>
          By {each}
        </option>
      ))}
    </select>
  )
}

type GroupRow = ResultGroup & { id: string }

function columnsBy(grouping: Grouping): readonly Column<GroupRow>[] {
  return [
    { id: 'group', header: nameOf(grouping), grow: true, cell: (row) => groupName(row, grouping) },
    {
      id: 'spend',
      header: 'Spend',
      align: 'end',
      cell: (row) => (
        <Money minor={netOf(row)} currency={row.currency} exponent={row.currency_exponent} />
      ),
    },
    {
      id: 'impressions',
      header: 'Impressions',
      align: 'end',
      minor: true,
      cell: (row) => count(row.impressions),
    },
    { id: 'clicks', header: 'Clicks', align: 'end', minor: true, cell: (row) => count(row.clicks) },
    {
      id: 'conversions',
      header: 'Conversions',
      align: 'end',
      minor: true,
      cell: (row) => count(row.conversions, 1),
    },
    {
      id: 'ctr',
      header: 'CTR',
      align: 'end',
      minor: true,
      cell: (row) => ratio(row.ctr, 'percent'),
    },
    { id: 'cpc', header: 'CPC', align: 'end', minor: true, cell: (row) => cost(row, row.cpc) },
    { id: 'cpa', header: 'CPA', align: 'end', minor: true, cell: (row) => cost(row, row.cpa) },
    { id: 'roas', header: 'ROAS', align: 'end', minor: true, cell: (row) => ratio(row.roas) },
  ]
}

/** Null on a day that nothing was reported of. */
const netOf = ({ spend_minor, adjustment_minor }: ResultGroup): number | null =>
  spend_minor === null ? null : spend_minor + (adjustment_minor ?? 0)

/** The service rounds it to six decimals; shown are those of the currency. */
const cost = ({ currency, currency_exponent: exponent }: GroupRow, each: number | null) => (
  <Money
    minor={each === null ? null : Math.round(each * 10 ** exponent)}
    currency={currency}
    exponent={exponent}
  />
)

function groupName({ group, name }: GroupRow, grouping: Grouping): ReactNode {
  if (group === null) return <Soft>None</Soft>
  if (grouping === 'day') return formatDate(group)
  if (grouping === 'platform') return nameOf(group)
  if (grouping === 'client') return <ClientsNamed name={group} />
  return (
    <ObjectLink type={grouping} id={group}>
      <Cut text={name ?? group} />
    </ObjectLink>
  )
}

const percents = new Intl.NumberFormat(undefined, {
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})
const ratios = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})

const tenths = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

const count = (value: number | null, decimals: 0 | 1 = 0) => {
  if (value === null) return <Soft>–</Soft>
  return decimals === 1 ? tenths.format(value) : formatCount(value)
}

const ratio = (value: number | null, kind: 'percent' | 'number' = 'number') => {
  if (value === null) return <Soft>–</Soft>
  return (kind === 'percent' ? percents : ratios).format(value)
}
