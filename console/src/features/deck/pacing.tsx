import { useQuery } from '@tanstack/react-query'
import { LinkButton } from '../../ui/button.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Section } from '../../ui/page.tsx'
import { Cut, Soft } from '../../ui/values/text.tsx'
import { profileNames } from '../campaigns/queries.ts'
import { shortColumns } from '../pacing/columns.tsx'
import type { PacingRow } from '../pacing/queries.ts'
import { useOffPlan } from './off-plan.ts'

/** Campaigns that spend beside their plan and need a person: the most severe first. */
export function WorstPacing() {
  const { rows, hasMore } = useOffPlan()
  if (rows.length === 0) return null
  return (
    <Section
      title="Off plan"
      actions={
        <LinkButton small look="link" to="/pacing">
          {hasMore ? 'More' : 'All'}
        </LinkButton>
      }
    >
      <Table
        caption="Campaigns off their plan: the most severe first, then by the share of their target at risk"
        rows={rows}
        columns={columns}
      />
    </Section>
  )
}

const client: Column<PacingRow> = {
  id: 'client',
  header: 'Client',
  minor: true,
  cell: ({ profile_id }) => <ClientOf profileId={profile_id} />,
}

function ClientOf({ profileId }: { profileId: string }) {
  const { data } = useQuery(profileNames)
  const name = data?.get(profileId)?.client
  return name ? <Cut text={name} /> : <Soft>–</Soft>
}

const [name, ...others] = shortColumns
const columns = [name, client, ...others]
