import type { Client } from '../../flightdeck.ts'
import { Section } from '../../ui/page.tsx'
import { Details } from './details.tsx'
import { ThisMonth } from './month/this-month.tsx'

/** How its month goes, and what it is. */
export const Overview = ({ client }: { client: Client }) => (
  <>
    <Section title="This month">
      <ThisMonth client={client} />
    </Section>
    <Section title="About">
      <Details client={client} />
    </Section>
  </>
)
