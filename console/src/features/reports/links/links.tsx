import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { listKey } from '../../../data/keys.ts'
import { flightdeck, type Schema } from '../../../flightdeck.ts'
import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/forms/confirm.tsx'
import { say } from '../../../ui/layers/toast.tsx'
import { Empty } from '../../../ui/lists/empty.tsx'
import { List } from '../../../ui/lists/list.tsx'
import type { Column } from '../../../ui/lists/table.tsx'
import { Soft } from '../../../ui/values/text.tsx'
import { Age, Time } from '../../../ui/values/time.tsx'
import { linkList, type Report } from '../queries.ts'

type ReportLink = Schema<'ReportLink'>

/** The links to a report, and how often each was opened. */
export default function Links({ report }: { report: Report }) {
  const [ending, setEnding] = useState<ReportLink | null>(null)
  const blocked = useBlocked('deleteReportLink')
  const acts: Column<ReportLink> = {
    id: 'acts',
    header: 'Actions',
    align: 'end',
    cell: (link) => (
      <Button small blocked={blocked} onClick={() => setEnding(link)}>
        End…
      </Button>
    ),
  }
  return (
    <>
      <List
        caption={`Links to ${report.name}`}
        query={useInfiniteQuery(linkList(report.id))}
        columns={[...columns, acts]}
        empty={
          <Empty title="No links yet">
            A link opens this report and nothing else, without an account, until it ends.
          </Empty>
        }
      />
      {ending && <EndLink report={report} link={ending} onClose={() => setEnding(null)} />}
    </>
  )
}

const columns: readonly Column<ReportLink>[] = [
  {
    id: 'expires',
    header: 'Works until',
    grow: true,
    cell: ({ expires_at }) => <Time time={expires_at} />,
  },
  {
    id: 'shows',
    header: 'Shows',
    cell: ({ snapshot_id }) => (snapshot_id === null ? 'The report as it is' : 'A snapshot'),
  },
  {
    id: 'password',
    header: 'Password',
    minor: true,
    cell: ({ has_password }) => (has_password ? 'Yes' : <Soft>No</Soft>),
  },
  { id: 'views', header: 'Views', align: 'end', cell: ({ views }) => views },
  {
    id: 'viewed',
    header: 'Last opened',
    minor: true,
    cell: ({ last_viewed_at }) => <Age time={last_viewed_at} isReal />,
  },
  {
    id: 'by',
    header: 'Made by',
    minor: true,
    cell: ({ schedule_id, created_by_name }) =>
      schedule_id === null ? (created_by_name ?? '–') : 'A schedule',
  },
]

type EndLinkProps = { report: Report; link: ReportLink; onClose: () => void }

function EndLink({ report, link, onClose }: EndLinkProps) {
  const cache = useQueryClient()
  return (
    <Confirm
      title="End this link?"
      text="Its address shows nothing any more, at once and for good."
      verb="End link"
      danger
      run={(write) => flightdeck.reports.deleteLink(report, link, write)}
      onClose={onClose}
      onDone={() => {
        void cache.invalidateQueries({ queryKey: listKey('report_links').slice(0, 2) })
        say('The link has ended')
        onClose()
      }}
    />
  )
}
