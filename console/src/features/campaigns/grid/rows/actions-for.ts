import type { BulkAction } from '../bulk/change.ts'
import type { GridRow } from '../columns/column.ts'

/** Actions in their order: what is reached for in a hurry comes first. */
const actions: readonly BulkAction[] = [
  'pause',
  'resume',
  'launch',
  'complete',
  'archive',
  'unarchive',
]
const mostShown = 2

/**
 * The actions on chosen rows: first two that these rows offer, then all others, as there may be
 * chosen rows that the list does not show.
 */
export function actionsFor(
  ids: ReadonlySet<string>,
  rows: readonly Pick<GridRow, 'id' | 'available_actions'>[],
): { shown: readonly BulkAction[]; more: readonly BulkAction[] } {
  const offered = new Set<string>(
    rows.flatMap(({ id, available_actions }) =>
      ids.has(id) ? available_actions.map(({ action }) => action) : [],
    ),
  )
  const possible = offered.size > 0 ? actions.filter((action) => offered.has(action)) : actions
  const shown = possible.slice(0, mostShown)
  return { shown, more: actions.filter((action) => !shown.includes(action)) }
}
