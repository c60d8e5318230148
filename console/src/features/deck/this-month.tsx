import { LinkButton } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { OverTime } from '../results/over-time/lazy.ts'
import { chartDays } from '../results/queries.ts'

/** The spending of this month beside its plan. */
export function ThisMonth() {
  const days = chartDays({})
  if (days === null) return null
  return (
    <Section
      title="This month"
      actions={
        <LinkButton small look="link" to="/results">
          Results
        </LinkButton>
      }
    >
      <OverTime days={days} filters={{}} empty="Nothing was reported, and nothing is planned." />
    </Section>
  )
}
