import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { choicesOf, nameOf } from '../../data/choices.ts'
import { one, useScreenState } from '../../data/search.ts'
import type { ApiKey, Schema } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/lists/empty.tsx'
import { Filters } from '../../ui/lists/filters.tsx'
import { List } from '../../ui/lists/list.tsx'
import { NoMatch } from '../../ui/lists/no-match.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Page } from '../../ui/page.tsx'
import { SecretDialog } from '../../ui/secret.tsx'
import { Cut, Mono } from '../../ui/values/text.tsx'
import { Age } from '../../ui/values/time.tsx'
import { ApiKeyForm } from './form.tsx'
import { apiKeyFilters, apiKeyList } from './queries.ts'
import { ApiKeyStatus } from './status.tsx'

export default function ApiKeys() {
  const [search, setSearch] = useScreenState()
  const query = useInfiniteQuery(apiKeyList(search))
  const blocked = useBlocked('createApiKey')
  const isFiltered = apiKeyFilters.some((name) => search[name])
  const create = () => setSearch({ open: 'new' })
  return (
    <Page
      title="API keys"
      about="Credentials for programs. A key may do what its role may, and never more than its maker."
      actions={
        <Button look="primary" icon={<IconPlus aria-hidden />} blocked={blocked} onClick={create}>
          New API key
        </Button>
      }
    >
      <Filters
        search="Search API keys"
        filters={[
          { name: 'role', label: 'Role', choices: choicesOf('ApiKeyRole') },
          { name: 'status', label: 'Status', choices: choicesOf('ApiKeyStatus') },
        ]}
      />
      <List
        caption="API keys"
        query={query}
        columns={columns}
        sort={one(search.sort)}
        onSort={(sort) => setSearch({ sort })}
        empty={
          isFiltered ? (
            <NoMatch kind="API key" />
          ) : (
            <Empty
              title="No API keys yet"
              action={
                <Button blocked={blocked} onClick={create}>
                  New API key
                </Button>
              }
            >
              Connectors, scripts and pipelines log in with an API key instead of a password.
            </Empty>
          )
        }
      />
      <Creating />
    </Page>
  )
}

/** The form, and then the key itself, for as long as this screen is open. */
function Creating() {
  const [search, setSearch] = useScreenState()
  const [made, setMade] = useState<Schema<'CreatedApiKey'> | null>(null)
  const navigate = useNavigate()
  const close = () => setSearch({ open: undefined })
  if (made) {
    const { id, name, key } = made
    return (
      <SecretDialog
        title={`${name} is created`}
        name="API key"
        secret={key}
        about="Programs send it as a bearer token. It works for everyone who has it."
        lost="Delete this API key and create another."
        onClose={() => {
          setMade(null)
          void navigate({ to: '/api-keys/$id', params: { id } })
        }}
      />
    )
  }
  if (search.open !== 'new') return null
  return (
    <ApiKeyForm
      onClose={close}
      onDone={(key) => {
        close()
        setMade(key)
      }}
    />
  )
}

const columns: readonly Column<ApiKey>[] = [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    grow: true,
    cell: ({ id, name }) => (
      <Link to="/api-keys/$id" params={{ id }}>
        <Cut text={name} />
      </Link>
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <ApiKeyStatus status={status} /> },
  { id: 'role', header: 'Role', cell: ({ role }) => nameOf(role) },
  { id: 'key', header: 'Key', minor: true, cell: ({ key_hint }) => <Mono>…{key_hint}</Mono> },
  {
    id: 'used',
    header: 'Last used',
    minor: true,
    cell: ({ last_used_at }) => <Age time={last_used_at} isReal />,
  },
  { id: 'expires', header: 'Expires', cell: ({ expires_at }) => <Age time={expires_at} isReal /> },
  { id: 'by', header: 'Made by', minor: true, cell: ({ created_by_name }) => created_by_name },
]
