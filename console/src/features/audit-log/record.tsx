import { useQuery } from '@tanstack/react-query'
import type { AuditLog } from '../../flightdeck.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Empty } from '../../ui/lists/empty.tsx'
import { Skeleton } from '../../ui/lists/skeleton.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Diff } from '../../ui/objects/diff.tsx'
import pageStyles from '../../ui/page.module.css'
import { Facts, Section } from '../../ui/page.tsx'
import { Copy, Mono, Soft } from '../../ui/values/text.tsx'
import { Time } from '../../ui/values/time.tsx'
import { actorName, Outcome, Resource } from './parts.tsx'
import { auditRecordQuery } from './queries.ts'

type RecordDrawerProps = { id: string; onClose: () => void }

/** One record, whole: what was changed, by which request, and its place in the chain. */
export function RecordDrawer({ id, onClose }: RecordDrawerProps) {
  const { data, error } = useQuery(auditRecordQuery(id))
  return (
    <Dialog kind="drawer" wide title={data?.action ?? 'Audit record'} onClose={onClose}>
      {error ? (
        <ProblemNotice error={error} />
      ) : data ? (
        <Record record={data} />
      ) : data === null ? (
        <Empty title="There is no such record">It may have been deleted after its retention.</Empty>
      ) : (
        <Skeleton rows={6} />
      )}
    </Dialog>
  )
}

const Record = ({ record }: { record: AuditLog }) => (
  <div className={pageStyles.section}>
    <Facts
      facts={[
        ['Time', <Time key="time" time={record.occurred_at} />],
        ['Outcome', <Outcome key="outcome" outcome={record.outcome} />],
        ['Who', actorName(record.actor)],
        ['Object', <Resource key="object" resource={record.resource} />],
        ['Reason', record.reason ?? <Soft>–</Soft>],
        ['Id', <Copy key="id" text={record.id} />],
      ]}
    />
    <Section title="Changes">
      {record.changes.length > 0 ? (
        <Diff caption="What was changed" differences={record.changes} reading={{}} />
      ) : (
        <Soft>No field was changed.</Soft>
      )}
    </Section>
    {record.request && <RequestFacts request={record.request} />}
    <Section title="Chain">
      <Facts
        facts={[
          ['Number', record.sequence],
          ['Hash', <Copy key="hash" text={record.hash} />],
          ['Hash before', <Copy key="before" text={record.prev_hash} />],
        ]}
      />
    </Section>
  </div>
)

const RequestFacts = ({ request }: { request: NonNullable<AuditLog['request']> }) => (
  <Section title="Request">
    <Facts
      facts={[
        [
          'What',
          <Mono key="what">
            {request.method} {request.path}
          </Mono>,
        ],
        ['Answer', request.status],
        ['Address', request.ip],
        ['Program', request.user_agent ?? <Soft>–</Soft>],
        ['Request id', <Copy key="id" text={request.id} />],
      ]}
    />
  </Section>
)
