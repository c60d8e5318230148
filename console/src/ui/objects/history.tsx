import { useInfiniteQuery } from '@tanstack/react-query'
import { actionText } from '../../data/events/words.ts'
import { partKey } from '../../data/keys.ts'
import { listOptions, useRows } from '../../data/lists.ts'
import { one, useScreenState } from '../../data/search.ts'
import { actorText } from '../../data/values/actor.ts'
import { words } from '../../data/words.ts'
import { Button } from '../button.tsx'
import { Empty } from '../lists/empty.tsx'
import { List } from '../lists/list.tsx'
import type { Column } from '../lists/table.tsx'
import { Cut, Soft } from '../values/text.tsx'
import { Age } from '../values/time.tsx'
import type { Reading } from './diff.tsx'
import type { Entry, HistoryProps, Versioned } from './version.tsx'
import { VersionDialog } from './version-dialog.tsx'

/** The versions of an object: what each changed, how it was then, and the way back. */
export function History<Of extends Versioned>(props: HistoryProps<Of>) {
  const { kind, object, resource, reading } = props
  const [search, setSearch] = useScreenState()
  const query = useInfiniteQuery(
    listOptions(partKey(kind, object.id, 'history'), async (cursor) => {
      const { data, meta } = await resource.getHistory(object.id, { cursor, limit: 50 })
      return { data: data.map((entry) => ({ ...entry, id: `${entry.version}` })), meta }
    }),
  )
  const opened = useRows(query).find(({ id }) => id === one(search.version))
  const open = (version: string | undefined) => setSearch({ version })
  return (
    <>
      <List
        caption="Versions, newest first"
        query={query}
        columns={columnsOf(reading, open)}
        empty={<Empty title="No version is recorded any more" />}
      />
      {opened && <VersionDialog {...props} entry={opened} onClose={() => open(undefined)} />}
    </>
  )
}

type HistoryRow = Entry & { id: string }

const columnsOf = (
  reading: Reading,
  open: (version: string) => void,
): readonly Column<HistoryRow>[] => [
  {
    id: 'version',
    header: 'Version',
    align: 'end',
    cell: ({ id, version }) => (
      <Button small look="link" aria-label={`Version ${id}`} onClick={() => open(id)}>
        {version}
      </Button>
    ),
  },
  { id: 'action', header: 'What', cell: ({ action }) => actionText(action) },
  {
    id: 'fields',
    header: 'Changed',
    grow: true,
    cell: ({ changes }) => <Cut text={fieldsText(changes, reading)} />,
  },
  {
    id: 'reason',
    header: 'Reason',
    minor: true,
    cell: ({ reason }) => (reason ? <Cut text={reason} /> : <Soft>–</Soft>),
  },
  { id: 'actor', header: 'By', minor: true, cell: ({ actor }) => actorText(actor) },
  { id: 'at', header: 'When', cell: ({ at }) => <Age time={at} /> },
]

const mostNames = 4

function fieldsText(changes: Entry['changes'], { names, hidden }: Reading): string {
  const fields = changes
    .filter(({ field }) => !hidden?.includes(field))
    .map(({ field }) => names?.[field] ?? words(field))
  const more = fields.length - mostNames
  return fields.slice(0, mostNames).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
