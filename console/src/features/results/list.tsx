import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { nameOf } from '../../data/choices.ts'
import { saveFile } from '../../data/download.ts'
import { formatCount } from '../../data/numbers.ts'
import { queryOf, useScreenState } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'
import { useMay } from '../../session.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import fieldStyles from '../../ui/fields.module.css'
import { Filters } from '../../ui/filters.tsx'
import { List } from '../../ui/list.tsx'
import { Money } from '../../ui/money.tsx'
import { Page, Section } from '../../ui/page.tsx'
import type { Column } from '../../ui/table.tsx'
import { Cut, Soft } from '../../ui/text.tsx'
import { sayTrouble } from '../../ui/toast.tsx'
import { type Grouping, groupingIn, groupings, type ResultGroup, resultList } from './queries.ts'
import styles from './results.module.css'
import { Sources } from './sources.tsx'

export default function Results() {
  const [search] = useScreenState()
  const query = useInfiniteQuery(resultList(search))
  const mayReport = useMay('reportResults')
  const grouping = groupingIn(search)
  return (
    <Page
      title="Results"
      about="What your own connectors report of the networks; Flightdeck reads no network itself."
      actions={
        <>
          <Button icon={<IconDownload aria-hidden />} onClick={() => void exportCsv(search)}>
            Export CSV
          </Button>
          {mayReport && (
            <LinkButton to="/results/import" look="primary" icon={<IconUpload aria-hidden />}>
              Import CSV
            </LinkButton>
          )}
        </>
      }
    >
      <Sources />
      <Section title={`By ${grouping}`}>
        <Filters dates={period}>
          <GroupBy grouping={grouping} />
        </Filters>
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
      </Section>
    </Page>
  )
}

async function exportCsv(search: ReturnType<typeof useScreenState>[0]): Promise<void> {
  try {
    const query = queryOf(search, ['from', 'to', 'currency', 'source'])
    await saveFile(await flightdeck.results.export({ ...query, format: 'csv' }), 'results.csv')
  } catch (error) {
    sayTrouble(error)
  }
}

function GroupBy({ grouping }: { grouping: Grouping }) {
  const [, setSearch] = useScreenState()
  return (
    <select
      aria-label="Group by"
      className={classes(fieldStyles.input, styles.narrow)}
      value={grouping}
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

/** The service leaves the last day out. */
const period = [
  { name: 'from', label: 'From' },
  { name: 'to', label: 'Before' },
]

type Row = ResultGroup & { id: string }

function columnsBy(grouping: Grouping): readonly Column<Row>[] {
  return [
    { id: 'group', header: nameOf(grouping), grow: true, cell: (row) => groupName(row, grouping) },
    {
      id: 'spend',
      header: 'Spend',
      align: 'end',
      cell: (row) => (
        <Money
          minor={row.spend_minor + row.adjustment_minor}
          currency={row.currency}
          exponent={row.currency_exponent}
        />
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
    {
      id: 'cpc',
      header: 'CPC',
      align: 'end',
      minor: true,
      cell: ({ cpc, currency, currency_exponent: exponent }) => (
        <Money
          minor={cpc === null ? null : Math.round(cpc * 10 ** exponent)}
          currency={currency}
          exponent={exponent}
        />
      ),
    },
    { id: 'roas', header: 'ROAS', align: 'end', minor: true, cell: (row) => ratio(row.roas) },
  ]
}

function groupName({ group, name }: Row, grouping: Grouping): ReactNode {
  if (group === null) return <Soft>None</Soft>
  const text = name ?? group
  const isObject = grouping === 'campaign' || grouping === 'profile'
  if (!isObject) return grouping === 'platform' ? nameOf(group) : <Cut text={text} />
  return (
    <Link to={`/${grouping}s/${group}`}>
      <Cut text={text} />
    </Link>
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
