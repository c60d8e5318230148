import { IconSend } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useScreenState, useSetSearch } from '../../data/search.ts'
import { flightdeck, type WebhookEndpoint } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import type { MenuItem } from '../../ui/layers/menu.tsx'
import { sayTrouble } from '../../ui/layers/toast.tsx'
import { EditButton, MoreMenu } from '../../ui/objects/object-actions.tsx'
import { ObjectScreen } from '../../ui/objects/object-screen.tsx'
import { Card, Facts, Page, Section } from '../../ui/page.tsx'
import { Copy, Labels } from '../../ui/values/text.tsx'
import { Age, By, Time } from '../../ui/values/time.tsx'
import { DeliveryFilters, DeliveryList } from './delivery-list.tsx'
import { Dialogs } from './dialogs.tsx'
import { Health, useEnable } from './health.tsx'
import { deliveriesTo, endpointQuery } from './queries.ts'
import { EndpointStatus } from './status.tsx'

export default function WebhookEndpointScreen() {
  const { id } = useParams({ from: '/webhook-endpoints/$id' })
  return (
    <ObjectScreen query={useQuery(endpointQuery(id))}>
      {(endpoint) => <EndpointPage key={endpoint.id} endpoint={endpoint} />}
    </ObjectScreen>
  )
}

function EndpointPage({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [search] = useScreenState()
  return (
    <Page
      title={endpoint.url}
      beside={<EndpointStatus endpoint={endpoint} />}
      within={{ to: '/webhook-endpoints', name: 'Webhooks' }}
      actions={<Actions endpoint={endpoint} />}
    >
      <Health endpoint={endpoint} />
      <Details endpoint={endpoint} />
      <Section title="Deliveries">
        <DeliveryFilters />
        <DeliveryList query={useInfiniteQuery(deliveriesTo(endpoint.id, search))} />
      </Section>
      <Dialogs endpoint={endpoint} />
    </Page>
  )
}

function Actions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const setSearch = useSetSearch()
  const mayTest = useBlocked('testWebhookEndpoint')
  const test = useTest(endpoint)
  const open = (what: string) => () => setSearch({ open: what })
  return (
    <>
      <Button
        look="primary"
        icon={<IconSend aria-hidden />}
        blocked={mayTest}
        busy={test.isBusy}
        onClick={test.run}
      >
        Send test event
      </Button>
      <EditButton needs="updateWebhookEndpoint" />
      <MoreMenu items={useItems(endpoint, open)} />
    </>
  )
}

function useItems(
  endpoint: WebhookEndpoint,
  open: (what: string) => () => void,
): readonly MenuItem[] {
  const enable = useEnable(endpoint)
  const mayRecover = useBlocked('recoverWebhookEndpoint')
  const mayRotate = useBlocked('rotateWebhookEndpointSecret')
  const mayDisable = useBlocked('disableWebhookEndpoint')
  const mayDelete = useBlocked('deleteWebhookEndpoint')
  const isDisabled = endpoint.status === 'disabled'
  return [
    {
      name: 'Recover missed deliveries…',
      blocked: mayRecover ?? (isDisabled ? 'Enable it first.' : null),
      run: open('recover'),
    },
    { name: 'Rotate secret…', blocked: mayRotate, run: open('rotate') },
    isDisabled
      ? { name: 'Enable', blocked: enable.blocked, run: enable.run }
      : { name: 'Disable…', blocked: mayDisable, run: open('disable') },
    'line',
    { name: 'Delete…', danger: true, blocked: mayDelete, run: open('delete') },
  ]
}

/** Sends a test and shows how it goes: its delivery. */
function useTest({ id }: WebhookEndpoint) {
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const test = async () => {
    setBusy(true)
    try {
      const { id: deliveryId } = await flightdeck.webhookEndpoints.test(id)
      await navigate({
        to: '/webhook-endpoints/$id/deliveries/$deliveryId',
        params: { id, deliveryId },
        search: {},
      })
    } catch (error) {
      sayTrouble(error)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, run: () => void test() }
}

const Details = ({ endpoint }: { endpoint: WebhookEndpoint }) => (
  <Card>
    <Facts
      facts={[
        [
          'Events',
          endpoint.events.includes('*') ? 'All' : <Labels key="events" labels={endpoint.events} />,
        ],
        ['Last success', <Age key="success" time={endpoint.last_success_at} />],
        ['Last failure', <Age key="failure" time={endpoint.last_failure_at} />],
        ['Signing secret', `ends with ${endpoint.secret_hint}`],
        [
          'Previous secret signs until',
          <Time key="previous" time={endpoint.previous_secret_expires_at} />,
        ],
        ['Id', <Copy key="id" text={endpoint.id} />],
        ['Created', <By key="by" time={endpoint.created_at} name={endpoint.created_by_name} />],
        ['Changed', <By key="by" time={endpoint.updated_at} name={endpoint.updated_by_name} />],
        ...Object.entries(endpoint.metadata).map(([key, value]) => [key, value] as const),
        ['Description', endpoint.description],
      ]}
    />
  </Card>
)
