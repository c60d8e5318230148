import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ObjectPath } from '../../address.ts'
import { one, useScreenState, useSetSearch } from '../../data/search.ts'
import type { Operation } from '../../rights.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../button.tsx'
import { Page } from '../page.tsx'
import { Empty } from './empty.tsx'
import { Filters, type FiltersProps, isFilteredBy } from './filters.tsx'
import { List, type ListProps } from './list.tsx'
import { NoMatch } from './no-match.tsx'

type ListScreenProps<Row> = Pick<ListProps<Row>, 'query' | 'rows' | 'columns'> & {
  title: string
  about: string
  /** Names the table, where the title does not. */
  caption?: string
  /** A row in words: `profile`. */
  kind: string
  beside?: ReactNode
  /** Tabs above the filters. */
  tabs?: ReactNode
  create?: Create
  /** Other buttons than the one that creates. */
  actions?: ReactNode
  filters: FiltersProps
  /** Set if it shows one client only, where screens are narrowed to one. */
  ofClient?: true
  /** The order until another is chosen. */
  sort?: string
  empty?: { title: string; text?: ReactNode }
  /** Advice where the filters leave nothing. */
  noMatch?: ReactNode
  /** Dialogs. */
  children?: ReactNode
}

type Create = {
  name: string
  needs: Operation
  /** The screen of the new object. */
  to?: ObjectPath
  form?: (form: FormProps) => ReactNode
}

type FormProps = { onClose: () => void; onDone: (created: { id: string }) => void }

/** A screen of objects: its title, filters, the list with its states, and the form of a new one. */
export function ListScreen<Row extends { id: string }>(props: ListScreenProps<Row>) {
  const { title, about, beside, tabs, create, actions, filters, children } = props
  const [search, setSearch] = useScreenState()
  return (
    <Page
      title={title}
      beside={beside}
      about={about}
      actions={
        <>
          {actions}
          {create && <CreateButton create={create} isPrimary />}
        </>
      }
    >
      {tabs}
      <Filters {...filters} />
      <List
        caption={props.caption ?? title}
        query={props.query}
        rows={props.rows}
        columns={props.columns}
        sort={one(search.sort) ?? props.sort}
        onSort={(sort) => setSearch({ sort })}
        empty={<Nothing {...props} />}
      />
      {search.open === 'new' && create && <CreateForm create={create} />}
      {children}
    </Page>
  )
}

function CreateForm({ create: { to, form } }: { create: Create }) {
  const setSearch = useSetSearch()
  const navigate = useNavigate()
  return form?.({
    onClose: () => setSearch({ open: undefined }),
    onDone: ({ id }) => to && void navigate({ to, params: { id } }),
  })
}

type CreateButtonProps = { create: Create; isPrimary?: boolean }

function CreateButton({ create: { name, needs }, isPrimary = false }: CreateButtonProps) {
  const setSearch = useSetSearch()
  return (
    <Button
      look={isPrimary ? 'primary' : 'plain'}
      icon={isPrimary && <IconPlus aria-hidden />}
      blocked={useBlocked(needs)}
      onClick={() => setSearch({ open: 'new' })}
    >
      {name}
    </Button>
  )
}

type NothingProps = Pick<
  ListScreenProps<never>,
  'kind' | 'create' | 'filters' | 'ofClient' | 'empty' | 'noMatch'
>

function Nothing({ kind, create, filters, ofClient, empty, noMatch }: NothingProps) {
  const [search] = useScreenState()
  const isNarrowed = ofClient && search.client_id !== undefined
  if (!empty || isNarrowed || isFilteredBy(filters, search))
    return <NoMatch kind={kind}>{noMatch}</NoMatch>
  return (
    <Empty title={empty.title} action={create && <CreateButton create={create} />}>
      {empty.text}
    </Empty>
  )
}
