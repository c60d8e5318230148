import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { actorText } from '../../data/values/actor.ts'
import { words } from '../../data/words.ts'
import { useMay } from '../../session.tsx'
import { LinkButton } from '../../ui/button.tsx'
import fieldStyles from '../../ui/fields.module.css'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Table } from '../../ui/lists/table.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { ObjectScreen } from '../../ui/objects/object-screen.tsx'
import { Card, Facts, Page } from '../../ui/page.tsx'
import { Json } from '../../ui/values/json.tsx'
import { Copy } from '../../ui/values/text.tsx'
import { Time } from '../../ui/values/time.tsx'
import { plainText } from '../../ui/values/values.ts'
import { type Event, eventQuery } from './queries.ts'
import { Subject } from './subject.tsx'

/** One event on a screen of its own, to send its address to others. */
export default function EventScreen() {
  const { id } = useParams({ from: '/events/$id' })
  return (
    <ObjectScreen query={useQuery(eventQuery(id))}>
      {(event) => (
        <Page title={event.type} within={{ to: '/events', name: 'Events' }}>
          <EventDetails event={event} />
        </Page>
      )}
    </ObjectScreen>
  )
}

/** One event beside the list. */
export function EventDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: event, error } = useQuery(eventQuery(id))
  return (
    <Dialog
      title={event?.type ?? 'Event'}
      kind="drawer"
      wide
      onClose={onClose}
      footer={
        <LinkButton to="/events/$id" params={{ id }}>
          Open on its own
        </LinkButton>
      }
    >
      <div className={fieldStyles.form}>
        {error && <ProblemNotice error={error} />}
        {event && <EventDetails event={event} />}
      </div>
    </Dialog>
  )
}

function EventDetails({ event }: { event: Event }) {
  const mayReadDeliveries = useMay('listAllWebhookDeliveries')
  const mayReadRecords = useMay('listAuditLogs')
  const { id, request_id } = event
  return (
    <>
      <Card>
        <Facts
          facts={[
            ['About', <Subject key="about" event={event} />],
            ['Time', <Time key="time" time={event.timestamp} exact />],
            ['By', actorText(event.actor)],
            ['Number', event.sequence],
            ['Id', <Copy key="id" text={id} />],
            [
              'Request',
              request_id && mayReadRecords ? (
                <Link key="request" to="/audit-log" search={{ request_id }}>
                  {request_id}
                </Link>
              ) : (
                request_id
              ),
            ],
            [
              'Webhooks',
              mayReadDeliveries ? (
                <Link key="deliveries" to="/deliveries" search={{ event_id: id }}>
                  Its deliveries
                </Link>
              ) : null,
            ],
            [
              'Meaning',
              <Link key="type" to="/event-types" search={{ open: event.type }}>
                {event.type}
              </Link>,
            ],
          ]}
        />
      </Card>
      <Changes event={event} />
      <Json name="Event" value={event} />
    </>
  )
}

/** The changed fields, before and after. */
function Changes({ event: { data } }: { event: Event }) {
  const rows = Object.entries(data.previous ?? {}).map(([field, before]) => ({
    id: field,
    before: plainText(before),
    after: plainText(data.object[field]),
  }))
  if (rows.length === 0) return null
  return (
    <Table
      caption="What changed"
      rows={rows}
      columns={[
        { id: 'field', header: 'Field', cell: ({ id }) => words(id) },
        { id: 'before', header: 'Before', wrap: true, cell: ({ before }) => before },
        { id: 'after', header: 'After', wrap: true, cell: ({ after }) => after },
      ]}
    />
  )
}
