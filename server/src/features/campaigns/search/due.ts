import type { SingletonTask } from '../../../jobs/job.ts'
import { largeFrom } from '../../../limits/large-lists.ts'
import { keeping } from '../../../query/search/keeping.ts'
import { build, follow, type SearchState } from './keep.ts'

/** Keeps the index of searches of organizations with many campaigns up to date. */
export const keepSearch = keeping<SearchState>({
  beginSql: `
    insert into campaign_search_states (organization_id, through, built_to)
    select h.organization_id, h.event_sequence, '' from organization_heads h
    where (h.counts ->> 'campaigns')::bigint >= ${largeFrom} and not exists (
      select from campaign_search_states s where s.organization_id = h.organization_id)
    on conflict do nothing`,
  behindSql: `
    select s.organization_id, s.through, s.built_to from campaign_search_states s
    join organization_heads h on h.organization_id = s.organization_id
    where s.built_to is not null or s.through < h.event_sequence`,
  step: (ctx, state) => (state.built_to === null ? follow : build)(ctx, state),
})

export const dueSearch: SingletonTask = {
  name: 'campaigns.search',
  everyMs: 500,
  // Nothing is late: what the index lacks is found beside it.
  work: [],
  run: keepSearch,
}
