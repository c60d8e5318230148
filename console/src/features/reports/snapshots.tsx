import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { listKey } from '../../data/keys.ts'
import { useRows } from '../../data/lists.ts'
import { one, useScreenState, useSetSearch } from '../../data/search.ts'
import { formatTime } from '../../data/values/time.ts'
import { flightdeck, type Schema } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/forms/confirm.tsx'
import { say } from '../../ui/layers/toast.tsx'
import { Empty } from '../../ui/lists/empty.tsx'
import { List } from '../../ui/lists/list.tsx'
import type { Column } from '../../ui/lists/table.tsx'
import { Notice } from '../../ui/notice.tsx'
import { MoreMenu } from '../../ui/objects/object-actions.tsx'
import { saveCsv } from './files.ts'
import { type Report, snapshotList } from './queries.ts'
import { Shown } from './shown.tsx'
import { periodText } from './words.ts'

type Snapshot = Schema<'ReportSnapshot'>

/** The report as it was: the list, or the one that is open. */
export default function Snapshots({ report }: { report: Report }) {
  const [search] = useScreenState()
  const opened = one(search.snapshot)
  const query = useInfiniteQuery(snapshotList(report.id))
  const snapshot = useRows(query).find(({ id }) => id === opened)
  if (opened !== undefined && search.open === undefined) {
    return (
      <>
        <Frozen report={report} id={opened} snapshot={snapshot} />
        <Shown id={report.id} snapshot={opened} />
      </>
    )
  }
  return <SnapshotList report={report} query={query} />
}

type FrozenProps = { report: Report; id: string; snapshot: Snapshot | undefined }

function Frozen({ report, id, snapshot }: FrozenProps) {
  const setSearch = useSetSearch()
  const at = snapshot ? formatTime(snapshot.created_at) : 'an earlier time'
  return (
    <Notice title={`As it was frozen at ${at}`}>
      <Button small onClick={() => setSearch({ snapshot: undefined })}>
        All snapshots
      </Button>{' '}
      <Button small onClick={() => saveCsv(report.id, id)}>
        Save the figures as CSV
      </Button>{' '}
      <Button
        small
        blocked={useBlocked('createReportLink')}
        onClick={() => setSearch({ open: 'link' })}
      >
        Link to it…
      </Button>
    </Notice>
  )
}

type SnapshotListProps = {
  report: Report
  query: Parameters<typeof List<Snapshot>>[0]['query']
}

function SnapshotList({ report, query }: SnapshotListProps) {
  const [ending, setEnding] = useState<Snapshot | null>(null)
  const blocked = useBlocked('deleteReportSnapshot')
  const acts: Column<Snapshot> = {
    id: 'acts',
    header: 'Actions',
    align: 'end',
    cell: (snapshot) => (
      <MoreMenu
        items={[
          { name: 'Save the figures as CSV', run: () => saveCsv(report.id, snapshot.id) },
          'line',
          { name: 'Delete…', danger: true, blocked, run: () => setEnding(snapshot) },
        ]}
      />
    ),
  }
  return (
    <>
      <List
        caption={`Snapshots of ${report.name}`}
        query={query}
        columns={[...columns, acts]}
        empty={
          <Empty title="No snapshots yet">
            “Freeze…” keeps the report with its figures of that moment, such as those that were
            sent.
          </Empty>
        }
      />
      {ending && (
        <DeleteSnapshot report={report} snapshot={ending} onClose={() => setEnding(null)} />
      )}
    </>
  )
}

const columns: readonly Column<Snapshot>[] = [
  {
    id: 'made',
    header: 'Frozen',
    grow: true,
    cell: ({ id, created_at }) => (
      <Link to="." search={{ tab: 'snapshots', snapshot: id }}>
        {formatTime(created_at)}
      </Link>
    ),
  },
  { id: 'name', header: 'Named', minor: true, cell: ({ name }) => name },
  { id: 'period', header: 'Days', cell: ({ period }) => periodText(period) },
  { id: 'by', header: 'By', minor: true, cell: ({ created_by_name }) => created_by_name ?? '–' },
]

type DeleteSnapshotProps = { report: Report; snapshot: Snapshot; onClose: () => void }

function DeleteSnapshot({ report, snapshot, onClose }: DeleteSnapshotProps) {
  const cache = useQueryClient()
  return (
    <Confirm
      title={`Delete the snapshot of ${formatTime(snapshot.created_at)}?`}
      text="It is deleted for good. One that a link shows cannot be: end the link first."
      verb="Delete snapshot"
      danger
      run={(write) => flightdeck.reports.deleteSnapshot(report, snapshot, write)}
      onClose={onClose}
      onDone={() => {
        void cache.invalidateQueries({ queryKey: listKey('report_snapshots').slice(0, 2) })
        say('The snapshot is deleted')
        onClose()
      }}
    />
  )
}
