import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { choicesOf, nameOf } from '../../data/choices.ts'
import { useScreenState } from '../../data/search.ts'
import type { ApiKey, Schema } from '../../flightdeck.ts'
import { kinds } from '../../kinds.ts'
import { nameColumn } from '../../ui/lists/columns.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { SecretDialog } from '../../ui/secret.tsx'
import { Mono } from '../../ui/values/text.tsx'
import { Age } from '../../ui/values/time.tsx'
import { ApiKeyForm } from './form.tsx'
import { apiKeyList } from './queries.ts'
import { ApiKeyStatus } from './status.tsx'

export default function ApiKeys() {
  const [search] = useScreenState()
  return (
    <ListScreen
      title="API keys"
      about="Credentials for programs. A key may do what its role may, and never more than its maker."
      kind="API key"
      create={kinds.apiKeys.create}
      filters={{
        search: 'Search API keys',
        filters: [
          { name: 'role', label: 'Role', choices: choicesOf('ApiKeyRole') },
          { name: 'status', label: 'Status', choices: choicesOf('ApiKeyStatus') },
        ],
      }}
      query={useInfiniteQuery(apiKeyList(search))}
      columns={columns}
      empty={{
        title: 'No API keys yet',
        text: 'Connectors, scripts and pipelines log in with an API key instead of a password.',
      }}
    >
      <Creating />
    </ListScreen>
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
  nameColumn('/api-keys/$id'),
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
