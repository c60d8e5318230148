import { LinkButton } from '../../ui/button.tsx'
import { Table } from '../../ui/lists/table.tsx'
import { Section } from '../../ui/page.tsx'
import { client, shortColumns } from '../pacing/columns.tsx'
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

const [name, ...others] = shortColumns
const columns = [name, client, ...others]
