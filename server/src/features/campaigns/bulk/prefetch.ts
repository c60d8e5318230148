import { findOne } from '../../../kernel/rows.ts'
import type { Prefetch } from '../../../kernel/savepoints.ts'
import { profileFacts } from '../profile-facts.ts'

type Named = {
  id?: unknown
  body?: { profile_id?: unknown; template_id?: unknown } | null
}

/** Reads in one round trip what the operations will read one by one. */
export async function readAhead(
  { stable, consumable }: Prefetch,
  operations: readonly unknown[],
): Promise<void> {
  const named = operations.map((operation) => (operation ?? {}) as Named)
  const [campaigns, templates] = await Promise.all([
    eachOf(
      named.map(({ id }) => id),
      (id) => findOne(consumable, 'campaign_details', id),
    ),
    eachOf(
      named.map(({ body }) => body?.template_id),
      (id) => findOne(stable, 'templates', id),
    ),
  ])
  const profiles = [
    ...named.map(({ body }) => body?.profile_id),
    ...campaigns.map((campaign) => campaign?.profile_id),
    ...templates.map((template) => (template?.defaults as Named['body'])?.profile_id),
  ]
  await eachOf(profiles, (id) => profileFacts(stable, [id]))
}

function eachOf<T>(ids: readonly unknown[], read: (id: string) => Promise<T>): Promise<T[]> {
  const texts = ids.filter((id) => typeof id === 'string')
  return Promise.all([...new Set(texts)].map(read))
}
