import { nameOf } from '../data/choices.ts'
import { many, type Search } from '../data/search.ts'
import { formatTime } from '../data/values/time.ts'

/** Members of the address that say what is open or how it is shown, not which rows there are. */
const looks = new Set([
  ...['tab', 'open', 'peek', 'columns', 'preset', 'widths', 'view'],
  ...['chart', 'by', 'beside', 'split', 'chart_currency', 'client_id'],
])

const labels: Readonly<Record<string, string>> = {
  q: 'Search',
  sort: 'Order',
  group_by: 'By',
  pacing_status: 'Pacing',
  delivery_reason: 'Why it does not deliver',
  profile_id: 'Profile',
  start_after: 'Start from',
  end_after: 'End from',
  include_archived: 'Archived too',
}

/** Typed by people: shown as they are. */
const typed = new Set(['q', 'client', 'label', 'source', 'currency', 'external_id'])

/** The filters and the order that the address has, in words. */
export const wordsOfSearch = (
  search: Search,
  profileName: (id: string) => string,
): readonly string[] =>
  Object.entries(search)
    .filter(([name, value]) => !looks.has(name) && many(value).length > 0)
    .map(([name, value]) => {
      const values = many(value).map((each) => valueText(name, each, profileName))
      return `${labels[name] ?? nameOf(name)}: ${values.join(', ')}`
    })

function valueText(name: string, value: string, profileName: (id: string) => string): string {
  if (name === 'q') return `“${value}”`
  if (typed.has(name)) return value
  if (name === 'profile_id') return profileName(value)
  if (value === 'true') return 'yes'
  if (name === 'sort')
    return value.startsWith('-') ? `${nameOf(value.slice(1))}, down` : nameOf(value)
  return /^\d{4}-\d\d-\d\dT/.test(value) ? formatTime(value) : nameOf(value)
}
