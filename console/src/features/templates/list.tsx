import { useInfiniteQuery } from '@tanstack/react-query'
import { useScreenState } from '../../data/search.ts'
import type { Template } from '../../flightdeck.ts'
import { kinds } from '../../kinds.ts'
import { changedColumn, labelsColumn, nameColumn } from '../../ui/lists/columns.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Cut, Soft } from '../../ui/values/text.tsx'
import { defaultNames } from './defaults.ts'
import { TemplateForm } from './form.tsx'
import { templateList } from './queries.ts'

export default function Templates() {
  const [search] = useScreenState()
  return (
    <ListScreen
      title="Templates"
      about="What new campaigns begin with, and what none of them may change."
      kind="template"
      create={{
        ...kinds.templates.create,
        to: '/templates/$id',
        form: (form) => <TemplateForm {...form} />,
      }}
      filters={{ search: 'Search templates', texts: [{ name: 'label', label: 'Label' }] }}
      query={useInfiniteQuery(templateList(search))}
      columns={columns}
      empty={{
        title: 'No templates yet',
        text: 'A template fills in what new campaigns have in common. A campaign can be saved as one.',
      }}
    />
  )
}

const columns: readonly Column<Template>[] = [
  nameColumn('/templates/$id'),
  {
    id: 'defaults',
    header: 'Defaults',
    align: 'end',
    cell: ({ defaults }) => defaultNames(defaults).length,
  },
  {
    id: 'locked',
    header: 'Locked',
    align: 'end',
    cell: ({ locked_fields }) => locked_fields.length,
  },
  {
    id: 'description',
    header: 'Description',
    minor: true,
    cell: ({ description }) =>
      description ? <Cut text={description.slice(0, 60)} /> : <Soft>–</Soft>,
  },
  labelsColumn,
  changedColumn,
]
