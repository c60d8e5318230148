import type { Client } from '../../flightdeck.ts'
import { Card, Facts } from '../../ui/page.tsx'
import { Copy, Labels } from '../../ui/values/text.tsx'
import { By } from '../../ui/values/time.tsx'

/** The fields of a client. */
export const Details = ({ client }: { client: Client }) => (
  <Card>
    <Facts
      facts={[
        ['Currency', client.currency ?? 'Not stated'],
        ['Time zone', client.time_zone ?? 'That of the organization'],
        ['Labels', <Labels key="labels" labels={client.labels} />],
        ...Object.entries(client.metadata).map(([key, value]) => [key, value] as const),
        ['External id', client.external_id],
        ['Id', <Copy key="id" text={client.id} />],
        ['Created', <By key="by" time={client.created_at} name={client.created_by_name} />],
        ['Changed', <By key="by" time={client.updated_at} name={client.updated_by_name} />],
        ['Notes', client.notes && <p key="notes">{client.notes}</p>],
      ]}
    />
  </Card>
)
