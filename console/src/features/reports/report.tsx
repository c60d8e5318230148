import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { useScreenState } from '../../data/search.ts'
import { lazyPart } from '../../ui/lazily.tsx'
import { Skeleton } from '../../ui/lists/skeleton.tsx'
import { ObjectScreen } from '../../ui/objects/object-screen.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs, useTab } from '../../ui/tabs.tsx'
import { Actions, Dialogs } from './actions.tsx'
import { Subject } from './columns.tsx'
import { type Report, reportQuery } from './queries.ts'
import { Shown } from './shown.tsx'
import { periodText } from './words.ts'

const Editor = lazyPart(() => import('./editor/editor.tsx'))
const Snapshots = lazyPart(() => import('./snapshots.tsx'))
const Links = lazyPart(() => import('./links/links.tsx'))
const Schedules = lazyPart(() => import('./schedules/schedules.tsx'))

export default function ReportScreen() {
  const { id } = useParams({ from: '/reports/$id' })
  const [{ open }] = useScreenState()
  return (
    <ObjectScreen query={useQuery(reportQuery(id))}>
      {(report) => (open === 'edit' ? <Editor report={report} /> : <ReportPage report={report} />)}
    </ObjectScreen>
  )
}

type ReportSection = { id: string; name: string; content: (props: { report: Report }) => ReactNode }

const sections: readonly ReportSection[] = [
  { id: 'page', name: 'Page', content: ({ report }) => <Shown id={report.id} /> },
  { id: 'snapshots', name: 'Snapshots', content: Snapshots },
  { id: 'links', name: 'Links', content: Links },
  { id: 'schedules', name: 'Schedules', content: Schedules },
]

function ReportPage({ report }: { report: Report }) {
  const Content = useTab(sections).content
  return (
    <Page
      title={report.name}
      within={{ to: '/reports', name: 'Reports' }}
      about={
        <>
          <Subject report={report} /> · {periodText(report.period)}
        </>
      }
      actions={<Actions report={report} />}
    >
      <Tabs label="Sections of the report" tabs={sections} />
      {/* Boundaries of their own: the screen stays while they load. */}
      <Suspense fallback={<Skeleton rows={6} />}>
        <Content report={report} />
      </Suspense>
      <Suspense fallback={null}>
        <Dialogs report={report} />
      </Suspense>
    </Page>
  )
}
