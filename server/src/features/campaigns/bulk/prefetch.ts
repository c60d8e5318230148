import { findOne } from '../../../kernel/rows.ts'
import type { Prefetch } from '../../../kernel/savepoints.ts'
import { isWellFormedId } from '../../../values/ids.ts'
import { memberOf } from '../../../values/objects.ts'
import { sourcesOf } from '../has-results.ts'
import { profileFacts } from '../profile-facts.ts'

/** Reads in one round trip what the operations will read one by one. */
export async function readAhead(
  { stable, consumable }: Prefetch,
  operations: readonly unknown[],
): Promise<void> {
  const bodies = operations.map((operation) => memberOf(operation, 'body'))
  const [campaigns, templates] = await Promise.all([
    eachOf(
      operations.map((operation) => memberOf(operation, 'id')),
      (id) => findOne(consumable, 'campaign_details', id),
    ),
    eachOf(
      bodies.map((body) => memberOf(body, 'template_id')),
      (id) => findOne(stable, 'templates', id),
    ),
    eachOf(
      operations.filter(isDeletion).map((operation) => memberOf(operation, 'id')),
      (id) => sourcesOf(stable, id),
    ),
  ])
  const profiles = [
    ...bodies.map((body) => memberOf(body, 'profile_id')),
    ...campaigns.map((campaign) => campaign?.profile_id),
    ...templates.map((template) => template?.defaults.profile_id),
  ]
  await eachOf(profiles, (id) => profileFacts(stable, [id]))
}

const isDeletion = (operation: unknown): boolean => memberOf(operation, 'op') === 'delete'

function eachOf<T>(ids: readonly unknown[], read: (id: string) => Promise<T>): Promise<T[]> {
  const texts = ids.filter((id) => typeof id === 'string')
  return Promise.all([...new Set(texts.filter(isWellFormedId))].map(read))
}
