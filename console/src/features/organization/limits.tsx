import { useQuery } from '@tanstack/react-query'
import { nameOf } from '../../data/choices.ts'
import { formatBytes, levelOf } from '../../data/usage.ts'
import { formatPercent } from '../../data/values/numbers.ts'
import type { Schema } from '../../flightdeck.ts'
import { Skeleton } from '../../ui/lists/skeleton.tsx'
import { type Column, Table } from '../../ui/lists/table.tsx'
import { Notice, ReadFailed } from '../../ui/notice.tsx'
import { Card, Section } from '../../ui/page.tsx'
import { Bar } from '../../ui/values/bar.tsx'
import { Status } from '../../ui/values/status.tsx'
import { Soft } from '../../ui/values/text.tsx'
import { Age } from '../../ui/values/time.tsx'
import { limitsQuery } from './queries.ts'

type Limits = Schema<'Limits'>

/** Limits by the plan and the caps, and how much of each is used. */
export function LimitsSections() {
  const { data, error, refetch } = useQuery(limitsQuery)
  if (data) return <Sections limits={data} />
  if (!error) return <Skeleton rows={8} />
  return <ReadFailed error={error} retry={refetch} />
}

const Sections = ({ limits: { requests, caps, storage } }: { limits: Limits }) => (
  <>
    <Section title="Requests">
      <Card>
        <p>
          {count(requests.limit - requests.remaining)} of {count(requests.limit)} requests are used
          in this window of {requests.window_seconds} seconds; the next begins in{' '}
          {requests.reset_seconds} s.
        </p>
        <Bar share={1 - requests.remaining / requests.limit} />
      </Card>
    </Section>
    <Section title="Objects">
      <Table
        caption="How many objects there are and may be"
        rows={capRows(caps)}
        columns={capColumns}
      />
    </Section>
    <Section title="Storage">
      <StorageUse cap={caps.storage} state={storage.state} />
      <p>
        {formatBytes(storage.bytes)} in all. <Soft>Measured </Soft>
        <Age time={storage.measured_at} isReal />
      </p>
      <Table
        caption="Storage by kind of object"
        rows={storageRows(storage)}
        columns={storageColumns}
      />
    </Section>
  </>
)

type StorageUseProps = { cap: Limits['caps']['storage']; state: Limits['storage']['state'] }

/** How full the storage of the plan is; nothing where the plan sets no limit. */
function StorageUse({ cap: { used, limit }, state }: StorageUseProps) {
  if (limit === null) return null
  return (
    <>
      {state === 'full' && (
        <Notice tone="bad" title="The storage of the plan is full">
          <p>
            Nothing new is stored: changes and reports of results are refused. Pausing, completing,
            archiving, deleting and taking access away go on. Events and audit records leave when
            they are old enough; for more room now, ask the operator for a larger plan.
          </p>
        </Notice>
      )}
      {state === 'nearly_full' && (
        <Notice tone="warn" title="The storage of the plan is nearly full">
          <p>When it is full, changes and reports of results are refused.</p>
        </Notice>
      )}
      <Card>
        <p>
          {formatBytes(used)} of {formatBytes(limit)} are used.
        </p>
        <Bar share={used / limit} tone={levelOf(used, limit).tone} />
      </Card>
    </>
  )
}

const count = (number: number) => number.toLocaleString()

type CapRow = { id: string; used: number; limit: number }

const capRows = ({ storage: _, ...caps }: Limits['caps']): CapRow[] =>
  Object.entries(caps).map(([id, { used, limit }]) => ({ id, used, limit }))

const capColumns: readonly Column<CapRow>[] = [
  { id: 'kind', header: 'Kind', fold: true, cell: ({ id }) => nameOf(id) },
  { id: 'used', header: 'Used', align: 'end', cell: ({ used }) => count(used) },
  { id: 'limit', header: 'Limit', align: 'end', cell: ({ limit }) => count(limit) },
  {
    id: 'bar',
    header: 'Share',
    minor: true,
    grow: true,
    cell: ({ used, limit }) => <Bar share={used / limit} tone={levelOf(used, limit).tone} />,
  },
  {
    id: 'level',
    header: 'State',
    cell: ({ used, limit }) => {
      const { tone, word } = levelOf(used, limit)
      return <Status tone={tone}>{word}</Status>
    },
  },
]

type StorageRow = { id: string; bytes: number; share: number }

const storageRows = ({ bytes, by_kind }: Limits['storage']): StorageRow[] =>
  Object.entries(by_kind)
    .map(([id, own]) => ({ id, bytes: own, share: bytes === 0 ? 0 : own / bytes }))
    .sort((one, other) => other.bytes - one.bytes)

const storageColumns: readonly Column<StorageRow>[] = [
  { id: 'kind', header: 'Kind', cell: ({ id }) => nameOf(id) },
  { id: 'bytes', header: 'Size', align: 'end', cell: ({ bytes }) => formatBytes(bytes) },
  { id: 'share', header: 'Share', align: 'end', cell: ({ share }) => formatPercent(share) },
  {
    id: 'bar',
    header: 'Of all',
    minor: true,
    grow: true,
    cell: ({ share }) => <Bar share={share} />,
  },
]
