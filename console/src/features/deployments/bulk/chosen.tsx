import type { Column } from '../../../ui/lists/table.tsx'

export type ChosenIds = {
  ids: ReadonlySet<string>
  set: (ids: ReadonlySet<string>) => void
}

/** As many as one action takes. */
export const mostChosen = 100

type RowToChoose = { id: string; name?: string; desired?: { name: string } }

/** A box to choose each row, in the first column. */
export const chosenColumn = <Row extends RowToChoose>(
  { ids, set }: ChosenIds,
  rows: readonly Row[],
): Column<Row> => ({
  id: 'chosen',
  header: 'Choose',
  cell: ({ id, name, desired }) => (
    <input
      type="checkbox"
      aria-label={`Choose ${name ?? desired?.name ?? id}`}
      checked={ids.has(id)}
      disabled={!ids.has(id) && chosenAmong(rows, ids) >= mostChosen}
      onChange={({ target }) => {
        const next = new Set(ids)
        if (target.checked) next.add(id)
        else next.delete(id)
        set(next)
      }}
    />
  ),
})

const chosenAmong = (rows: readonly { id: string }[], ids: ReadonlySet<string>): number =>
  rows.filter(({ id }) => ids.has(id)).length

/** The first of the rows, as many as may be chosen. */
export const firstOf = (rows: readonly { id: string }[], most: number): ReadonlySet<string> =>
  new Set(rows.slice(0, most).map(({ id }) => id))
