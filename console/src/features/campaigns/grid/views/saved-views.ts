import { type Search, stringifySearch } from '../../../../data/search.ts'
import { storedList } from '../../../../data/stored/stored-list.ts'

/** A named state of the grid, as the text of its address. */
export type SavedView = { name: string; search: string }

const viewsKeyOf = (organizationId: string) => `flightdeck views ${organizationId}`
const mostViews = 100

/** The view in an address, without panels that are open for a moment, and of any client. */
export const viewOf = ({ open: _, peek: __, client_id: ___, ...search }: Search): string =>
  stringifySearch(search)

const isView = (view: unknown): view is SavedView =>
  typeof view === 'object' &&
  view !== null &&
  'name' in view &&
  'search' in view &&
  typeof view.name === 'string' &&
  typeof view.search === 'string'

const stored = storedList(isView)

/** The views that were saved in this browser for the organization, and the way to change them. */
export function useSavedViews(organizationId: string) {
  const key = viewsKeyOf(organizationId)
  const views = stored.useEntries(key)
  const write = (next: readonly SavedView[]) => stored.write(key, next.slice(-mostViews))
  const without = (name: string) => views.filter((view) => view.name !== name)
  return {
    views,
    save: (view: SavedView) =>
      write([...without(view.name), view].sort((a, b) => a.name.localeCompare(b.name))),
    remove: (name: string) => write(without(name)),
  }
}
