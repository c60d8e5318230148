import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { one, useScreenState } from '../../data/search.ts'
import type { Template } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/lists/empty.tsx'
import { Filters } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { NoMatch } from '../../ui/lists/no-match.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Page } from '../../ui/page.tsx'
import { Cut, Labels, Soft } from '../../ui/values/text.tsx'
import { Age } from '../../ui/values/time.tsx'
import { defaultNames } from './defaults.ts'
import { TemplateForm } from './form.tsx'
import { templateList } from './queries.ts'

export default function Templates() {
  const [search, setSearch] = useScreenState()
  const navigate = useNavigate()
  const query = useInfiniteQuery(templateList(search))
  const blocked = useBlocked('createTemplate')
  const create = () => setSearch({ open: 'new' })
  return (
    <Page
      title="Templates"
      about="What new campaigns begin with, and what none of them may change."
      actions={
        <Button look="primary" icon={<IconPlus aria-hidden />} blocked={blocked} onClick={create}>
          New template
        </Button>
      }
    >
      <Filters search="Search templates" texts={[{ name: 'label', label: 'Label' }]} />
      <List
        caption="Templates"
        query={query}
        columns={columns}
        sort={one(search.sort)}
        onSort={(sort) => setSearch({ sort })}
        empty={
          search.q || search.label ? (
            <NoMatch kind="template" />
          ) : (
            <Empty
              title="No templates yet"
              action={
                <Button blocked={blocked} onClick={create}>
                  New template
                </Button>
              }
            >
              A template fills in what new campaigns have in common. A campaign can be saved as one.
            </Empty>
          )
        }
      />
      {search.open === 'new' && (
        <TemplateForm
          onClose={() => setSearch({ open: undefined })}
          onDone={({ id }) => void navigate({ to: '/templates/$id', params: { id }, search: {} })}
        />
      )}
    </Page>
  )
}

const columns: readonly Column<Template>[] = [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    grow: true,
    cell: ({ id, name }) => (
      <Link to="/templates/$id" params={{ id }} search={{}}>
        <Cut text={name} />
      </Link>
    ),
  },
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
  { id: 'labels', header: 'Labels', minor: true, cell: ({ labels }) => <Labels labels={labels} /> },
  {
    id: 'updated',
    header: 'Changed',
    sort: 'updated_at',
    minor: true,
    cell: ({ updated_at }) => <Age time={updated_at} />,
  },
]
