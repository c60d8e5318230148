import { IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { cache } from '../../data/cache.ts'
import { nameOf } from '../../data/choices.ts'
import { useTick } from '../../data/clock.ts'
import { flightdeck } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { say, sayTrouble } from '../../ui/layers/toast.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ObjectScreen } from '../../ui/objects/object-screen.tsx'
import { Card, Facts, Page, Section } from '../../ui/page.tsx'
import { Code } from '../../ui/values/json.tsx'
import { ObjectLink } from '../../ui/values/object-link.tsx'
import { Copy } from '../../ui/values/text.tsx'
import { Age, Time } from '../../ui/values/time.tsx'
import { Attempts } from './attempts.tsx'
import { type DeliveryDetails, deliveryQuery, endpointQuery, isComing } from './queries.ts'
import { DeliveryStatus } from './status.tsx'

export default function DeliveryScreen() {
  const { id, deliveryId } = useParams({
    from: '/webhook-endpoints/$id/deliveries/$deliveryId',
  })
  return (
    <ObjectScreen query={useQuery(deliveryQuery(id, deliveryId))}>
      {(delivery) => <DeliveryPage key={delivery.id} delivery={delivery} />}
    </ObjectScreen>
  )
}

function DeliveryPage({ delivery }: { delivery: DeliveryDetails }) {
  const { data: endpoint } = useQuery(endpointQuery(delivery.endpoint_id))
  const redeliver = useRedeliver(delivery)
  // A delivery is about to be sent for a while only.
  useTick()
  return (
    <Page
      title={`Delivery of ${delivery.event_type}`}
      beside={<DeliveryStatus status={delivery.status} />}
      about={
        <ObjectLink type="webhook_endpoint" id={delivery.endpoint_id}>
          {endpoint?.url ?? delivery.endpoint_id}
        </ObjectLink>
      }
      actions={
        <Button
          look="primary"
          icon={<IconRepeat aria-hidden />}
          blocked={redeliver.blocked}
          busy={redeliver.isBusy}
          onClick={redeliver.run}
        >
          {delivery.status === 'pending' ? 'Send now' : 'Send again'}
        </Button>
      }
    >
      <Details delivery={delivery} />
      <Section title="Attempts">
        <Attempts delivery={delivery} />
      </Section>
      <Section title="What is sent">
        {delivery.request_body === null ? (
          <Notice title="The event is no longer stored." />
        ) : (
          <Code name="Request body" text={delivery.request_body} />
        )}
      </Section>
    </Page>
  )
}

function useRedeliver(delivery: DeliveryDetails) {
  const mayRedeliver = useBlocked('redeliverWebhookDelivery')
  const [isBusy, setBusy] = useState(false)
  const gone = delivery.request_body === null ? 'Its event is no longer stored.' : null
  const redeliver = async () => {
    setBusy(true)
    try {
      await flightdeck.webhookEndpoints.redeliver(delivery.endpoint_id, delivery.id)
      void cache.invalidateQueries({ queryKey: ['deliveries'] })
      say('It is being sent')
    } catch (error) {
      sayTrouble(error)
    } finally {
      setBusy(false)
    }
  }
  const coming = isComing(delivery) ? 'It is being sent already.' : null
  return { blocked: mayRedeliver ?? gone ?? coming, isBusy, run: () => void redeliver() }
}

const Details = ({ delivery }: { delivery: DeliveryDetails }) => (
  <Card>
    <Facts
      facts={[
        ['Event', <DeliveredEvent key="event" delivery={delivery} />],
        ['Trigger', nameOf(delivery.trigger)],
        ['Attempts', delivery.attempt_count],
        ['Next attempt', <Age key="next" time={delivery.next_attempt_at} none="none" />],
        ['Created', <Time key="created" time={delivery.created_at} />],
        ['Changed', <Time key="changed" time={delivery.updated_at} />],
        ['Id', <Copy key="id" text={delivery.id} />],
        [
          'Everywhere',
          <Link key="all" to="/deliveries" search={{ event_id: delivery.event_id }}>
            Deliveries of this event
          </Link>,
        ],
      ]}
    />
  </Card>
)

/** Tests are no events of the organization. */
const DeliveredEvent = ({ delivery: { event_id, event_type } }: { delivery: DeliveryDetails }) =>
  event_type.endsWith('.test') ? (
    <Copy text={event_id} />
  ) : (
    <ObjectLink type="event" id={event_id}>
      {event_id}
    </ObjectLink>
  )
