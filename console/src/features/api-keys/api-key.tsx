import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { nameOf } from '../../data/choices.ts'
import { useScreenState } from '../../data/search.ts'
import { type ApiKey, flightdeck } from '../../flightdeck.ts'
import { useBlocked, useMay } from '../../session.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { DeleteDialog } from '../../ui/objects/delete-dialog.tsx'
import { ObjectScreen } from '../../ui/objects/object-screen.tsx'
import { Card, Facts, Page } from '../../ui/page.tsx'
import { scopeText } from '../../ui/values/scope.ts'
import { Copy, Mono } from '../../ui/values/text.tsx'
import { Age, Time } from '../../ui/values/time.tsx'
import { Agent } from './agent/agent.tsx'
import { apiKeyQuery } from './queries.ts'
import { ApiKeyStatus } from './status.tsx'

export default function ApiKeyScreen() {
  const { id } = useParams({ from: '/api-keys/$id' })
  return (
    <ObjectScreen query={useQuery(apiKeyQuery(id))}>
      {(apiKey) => <ApiKeyPage apiKey={apiKey} />}
    </ObjectScreen>
  )
}

function ApiKeyPage({ apiKey }: { apiKey: ApiKey }) {
  const [search, setSearch] = useScreenState()
  const mayDelete = useBlocked('deleteApiKey')
  const mayAudit = useMay('listAuditLogs')
  return (
    <Page
      title={apiKey.name}
      beside={<ApiKeyStatus status={apiKey.status} />}
      within={{ to: '/api-keys', name: 'API keys' }}
      actions={
        <>
          {mayAudit && (
            <LinkButton to="/audit-log" search={{ actor_id: apiKey.id }}>
              What it did
            </LinkButton>
          )}
          <Button
            icon={<IconTrash aria-hidden />}
            blocked={mayDelete}
            onClick={() => setSearch({ open: 'delete' })}
          >
            Delete…
          </Button>
        </>
      }
    >
      <Details apiKey={apiKey} />
      {apiKey.agent && <Agent apiKey={apiKey} />}
      {search.open === 'delete' && (
        <DeleteDialog
          name={apiKey.name}
          kind="API key"
          text="Programs that use this key are refused from now on."
          run={(write) => flightdeck.apiKeys.delete(apiKey, write)}
          list="/api-keys"
          onClose={() => setSearch({ open: undefined })}
        />
      )}
    </Page>
  )
}

const Details = ({ apiKey }: { apiKey: ApiKey }) => (
  <Card>
    <Facts
      facts={[
        ['Role', nameOf(apiKey.role)],
        ['Sees', scopeText(apiKey.scope)],
        ['Key', <Mono key="key">…{apiKey.key_hint}</Mono>],
        ['Expires', <Time key="expires" time={apiKey.expires_at} none="Never" />],
        ['Last used', <Age key="used" time={apiKey.last_used_at} isReal />],
        ['Made by', apiKey.created_by_name ?? 'The command line'],
        ['Made', <Time key="made" time={apiKey.created_at} />],
        ['Id', <Copy key="id" text={apiKey.id} />],
      ]}
    />
  </Card>
)
