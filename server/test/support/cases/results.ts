import type { Client, Reply, World } from '../world.ts'
import { campaignBody, made, profileOf } from './writes.ts'

export type Row = Record<string, unknown>

/** A day, in UTC: 0 is today. */
export const dayOf = ({ clock }: World, days: number): string =>
  new Date(clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)

/** Reports the rows, as of now. */
export const report = (client: Client, body: object): Promise<Reply> =>
  client.post('/results', {
    source: 'google_ads',
    reported_at: new Date(Date.now() - 3_600_000).toISOString(),
    ...body,
  })

/** A new organization with a draft in US dollars, and its results as they are stored. */
export async function newSpend(world: World, options: { sandbox?: boolean } = {}) {
  const organization = await world.organization(options)
  const { owner } = organization
  const body = campaignBody(await profileOf(organization, { currency: null }))
  const campaign_id = await made(owner, '/campaigns', body)
  return {
    owner,
    organization,
    campaign_id,
    row: (more: Row): Row => ({ campaign_id, date: dayOf(world, 0), spend: 1, ...more }),
    stored: () =>
      world.services.database.reader.query<Row>({
        sql: 'select * from results where organization_id = $1 order by date, campaign_id, source',
        parameters: [organization.id],
      }),
  }
}
