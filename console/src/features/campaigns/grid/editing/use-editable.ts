import { cache } from '../../../../data/cache.ts'
import { nameOf } from '../../../../data/choices.ts'
import { useBlocked } from '../../../../session.tsx'
import { say } from '../../../../ui/layers/toast.tsx'
import { campaignStates } from '../../queries.ts'
import type { EditableField, GridRow } from '../columns/column.ts'
import { columns } from '../columns/columns.tsx'

const edited = columns.filter(({ edits }) => edits).map(({ header }) => header.toLowerCase())

/** The field that is edited in the column; where it cannot be, why not is said. */
export function useEditable() {
  const blocked = useBlocked('updateCampaign')
  return async (row: GridRow, columnId: string): Promise<EditableField | null> => {
    const column = columns.find(({ id }) => id === columnId)
    const field = column?.edits
    const why = field
      ? (blocked ?? (await notInStatus(row, { field, header: column.header })))
      : `Edited in the grid are: ${edited.join(', ')}.`
    if (why) say(why)
    return why ? null : (field ?? null)
  }
}

type Edited = { field: EditableField; header: string }

async function notInStatus({ name, status }: GridRow, { field, header }: Edited) {
  // Without an answer, the service says it when the edit is saved.
  const states = await cache.ensureQueryData(campaignStates).catch(() => null)
  const fields = states?.statuses.find((each) => each.status === status)?.editable_fields
  if (!fields || fields.includes(field)) return null
  const [what, state] = [header, nameOf(status)].map((each) => each.toLowerCase())
  return `${name}: its ${what} cannot be changed while its status is ${state}.`
}
