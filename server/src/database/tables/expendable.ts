/**
 * Tables that may be empty after a crash, as their rows are made again: they are not logged, and no
 * backup has them. On Citus they are logged, as it moves no others from worker to worker.
 */
export const expendableTables = [
  'audited_name_states',
  'audited_names',
  'campaign_search',
  'campaign_search_states',
  'campaign_words',
  'rate_limits',
] as const
