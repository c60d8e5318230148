import { useOnlyClient } from '../../data/only-client.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { MonthOverTime } from '../results/month.tsx'

/** The spending of this month beside its plan. */
export const ThisMonth = () => (
  <Section
    title="This month"
    actions={
      <LinkButton small look="link" to="/results">
        Results
      </LinkButton>
    }
  >
    <MonthOverTime filters={{ ...useOnlyClient() }} />
  </Section>
)
