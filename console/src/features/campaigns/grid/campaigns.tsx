import { IconColumns3, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import { Popover } from '../../../ui/layers/popover.tsx'
import { lazyPart } from '../../../ui/lazily.tsx'
import { Page } from '../../../ui/page.tsx'
import type { Entry } from './editing/entry.ts'
import { CampaignsGrid } from './grid.tsx'
import { GridFilters } from './views/filters.tsx'

const Views = lazyPart(() => import('../../views/views.tsx'))
const ExportCampaigns = lazyPart(() => import('./export-menu.tsx'))
const ColumnsPanel = lazyPart(() => import('./views/columns-panel.tsx'))

/** The screen of all campaigns: its address is its whole state. */
export default function Campaigns() {
  const [entry, setEntry] = useState<Entry>(null)
  return (
    <Page title="Campaigns" fill actions={<Actions />}>
      <GridFilters toRows={() => setEntry('first')} />
      <CampaignsGrid entry={entry} onEntry={setEntry} />
    </Page>
  )
}

function Actions() {
  const navigate = useNavigate()
  const blocked = useBlocked('createCampaign')
  return (
    <>
      <Suspense fallback={null}>
        <Views resource="campaigns" whole="All campaigns" />
      </Suspense>
      <Popover
        label="Columns"
        align="end"
        trigger={<Button icon={<IconColumns3 aria-hidden />}>Columns</Button>}
      >
        {() => <ColumnsPanel />}
      </Popover>
      <Suspense fallback={null}>
        <ExportCampaigns />
      </Suspense>
      <Button
        look="primary"
        icon={<IconPlus aria-hidden />}
        blocked={blocked}
        onClick={() => void navigate({ to: '/campaigns/new' })}
      >
        New campaign
      </Button>
    </>
  )
}
