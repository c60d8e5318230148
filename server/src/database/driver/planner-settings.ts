import type { Statement } from './protocol.ts'

const withoutSorting: Statement = {
  sql: `select set_config('enable_sort', 'off', true)`,
  parameters: [],
}

/** The planner reckons with a disk, on which few rows cost what many do. */
const forItsFilters: Statement = {
  sql: `select set_config('plan_cache_mode', 'force_custom_plan', true),
    set_config('random_page_cost', '1.1', true)`,
  parameters: [],
}

/** Settings to send before the statement; they apply to the rest of the transaction. */
export const plannerSettings = ({ byIndex, byFilters }: Statement): Statement[] => [
  ...(byIndex ? [withoutSorting] : []),
  ...(byFilters ? [forItsFilters] : []),
]
