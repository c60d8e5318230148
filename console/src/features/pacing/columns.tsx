import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { profileNames } from '../../data/profile-names.ts'
import type { Column } from '../../ui/lists/table.tsx'
import { Money } from '../../ui/values/money.tsx'
import { ObjectLink } from '../../ui/values/object-link.tsx'
import { Cut, Soft } from '../../ui/values/text.tsx'
import { PacingBar } from './bar.tsx'
import type { Pacing, PacingRow } from './queries.ts'
import { ExplainedStatus } from './status.tsx'

const money = ({ currency, currency_exponent: exponent }: Pacing) => ({ currency, exponent })

const name: Column<PacingRow> = {
  id: 'name',
  header: 'Campaign',
  grow: true,
  wrap: true,
  cell: ({ campaign_id, name }) => (
    <Link to="/campaigns/$id" params={{ id: campaign_id }} search={{ tab: 'pacing' }}>
      {name}
    </Link>
  ),
}

const status: Column<PacingRow> = {
  id: 'status',
  header: 'Pacing',
  cell: (pacing) => <ExplainedStatus pacing={pacing} />,
}

const index: Column<PacingRow> = {
  id: 'index',
  header: 'Index',
  minor: true,
  cell: ({ pacing_index }) => <PacingBar index={pacing_index} />,
}

const spent: Column<PacingRow> = {
  id: 'spent',
  header: 'Spent',
  align: 'end',
  minor: true,
  cell: (pacing) => <Money minor={pacing.spent_minor} none="No data" {...money(pacing)} />,
}

const target: Column<PacingRow> = {
  id: 'target',
  header: 'Target',
  align: 'end',
  minor: true,
  cell: (pacing) => <Money minor={pacing.target_minor} {...money(pacing)} />,
}

const projected: Column<PacingRow> = {
  id: 'projected',
  header: 'Projected',
  align: 'end',
  minor: true,
  cell: (pacing) => <Money minor={pacing.projected_minor} {...money(pacing)} />,
}

const atRisk: Column<PacingRow> = {
  id: 'risk',
  header: 'At risk',
  align: 'end',
  sort: 'money_at_risk',
  cell: (pacing) => <Money minor={pacing.money_at_risk_minor} {...money(pacing)} />,
}

export const client: Column<PacingRow> = {
  id: 'client',
  header: 'Client',
  minor: true,
  cell: ({ profile_id }) => <ClientOf profileId={profile_id} />,
}

function ClientOf({ profileId }: { profileId: string }) {
  const { data } = useQuery(profileNames)
  const { client: named, client_id } = data?.get(profileId) ?? {}
  if (!named || !client_id) return <Soft>–</Soft>
  return (
    <ObjectLink type="client" id={client_id}>
      <Cut text={named} />
    </ObjectLink>
  )
}

/** For the few worst. */
export const shortColumns = [name, status, index, projected, atRisk] as const

export const allColumns = [name, client, status, index, spent, target, projected, atRisk]
