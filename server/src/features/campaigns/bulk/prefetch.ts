import { findOne } from '../../../kernel/rows.ts'
import type { Prefetch } from '../../../kernel/savepoints.ts'
import { profileFacts } from '../profile-facts.ts'

type Named = {
  id?: unknown
  body?: { profile_id?: unknown; template_id?: unknown } | null
}

/** Reads at once what the operations will ask for one by one. */
export async function readAhead(
  { lasting, once }: Prefetch,
  operations: readonly unknown[],
): Promise<void> {
  const named = operations.map((operation) => (operation ?? {}) as Named)
  const [campaigns, templates] = await Promise.all([
    eachOf(
      named.map(({ id }) => id),
      (id) => findOne(once, 'campaign_details', id),
    ),
    eachOf(
      named.map(({ body }) => body?.template_id),
      (id) => findOne(lasting, 'templates', id),
    ),
  ])
  const profiles = [
    ...named.map(({ body }) => body?.profile_id),
    ...campaigns.map((campaign) => campaign?.profile_id),
    ...templates.map((template) => (template?.defaults as Named['body'])?.profile_id),
  ]
  await eachOf(profiles, (id) => profileFacts(lasting, [id]))
}

function eachOf<T>(ids: readonly unknown[], read: (id: string) => Promise<T>): Promise<T[]> {
  const texts = ids.filter((id) => typeof id === 'string')
  return Promise.all([...new Set(texts)].map(read))
}
