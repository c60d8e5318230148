import { IconLink } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { listKey } from '../../data/keys.ts'
import { useScreenState, useSetSearch } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/forms/confirm.tsx'
import { say } from '../../ui/layers/toast.tsx'
import { lazyDialog } from '../../ui/lazily.tsx'
import { DeleteDialog } from '../../ui/objects/delete-dialog.tsx'
import { EditButton, MoreMenu } from '../../ui/objects/object-actions.tsx'
import { saveCsv } from './files.ts'
import type { Report } from './queries.ts'

const NewLink = lazyDialog(() => import('./links/new.tsx'))

type ReportProps = { report: Report }

export function Actions({ report }: ReportProps) {
  const setSearch = useSetSearch()
  const mayFreeze = useBlocked('createReportSnapshot')
  const mayDelete = useBlocked('deleteReport')
  return (
    <>
      <Button
        look="primary"
        icon={<IconLink aria-hidden />}
        blocked={useBlocked('createReportLink')}
        onClick={() => setSearch({ open: 'link' })}
      >
        Link…
      </Button>
      <EditButton needs="updateReport" />
      <MoreMenu
        items={[
          { name: 'Save the figures as CSV', run: () => saveCsv(report.id) },
          {
            name: 'Freeze…',
            blocked: mayFreeze,
            run: () => setSearch({ open: 'freeze' }),
          },
          'line',
          {
            name: 'Delete…',
            danger: true,
            blocked: mayDelete,
            run: () => setSearch({ open: 'delete' }),
          },
        ]}
      />
    </>
  )
}

/** The dialog that the address says is open. */
export function Dialogs({ report }: ReportProps) {
  const [{ open }, setSearch] = useScreenState()
  const onClose = () => setSearch({ open: undefined, snapshot: undefined })
  if (open === 'link') return <NewLink report={report} onClose={onClose} />
  if (open === 'freeze') return <Freeze report={report} onClose={onClose} />
  if (open === 'delete') return <Delete report={report} onClose={onClose} />
  return null
}

type EndingProps = ReportProps & { onClose: () => void }

function Freeze({ report, onClose }: EndingProps) {
  const cache = useQueryClient()
  const setSearch = useSetSearch()
  return (
    <Confirm
      title={`Freeze ${report.name}?`}
      text="A snapshot keeps the report with its figures of now: whatever is reported or changed later, it stays as it is."
      verb="Freeze"
      run={(write) => flightdeck.reports.createSnapshot(report, write)}
      onClose={onClose}
      onDone={() => {
        void cache.invalidateQueries({ queryKey: listKey('report_snapshots').slice(0, 2) })
        say(`${report.name} is frozen`)
        setSearch({ open: undefined, tab: 'snapshots' })
      }}
    />
  )
}

const Delete = ({ report, onClose }: EndingProps) => (
  <DeleteDialog
    name={report.name}
    kind="report"
    text="The report is deleted for good, with its snapshots and schedules. Its links show nothing any more."
    run={(write) => flightdeck.reports.delete(report, write)}
    list="/reports"
    onClose={onClose}
  />
)
