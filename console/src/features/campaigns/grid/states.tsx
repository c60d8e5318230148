import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useScreenState } from '../../../data/search.ts'
import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/lists/empty.tsx'
import { NoMatch } from '../../../ui/lists/no-match.tsx'
import { Skeleton } from '../../../ui/lists/skeleton.tsx'
import { ReadFailed } from '../../../ui/notice.tsx'
import styles from './grid.module.css'
import type { GridRows } from './rows/rows.ts'
import { isFiltered, withoutFilters } from './views/query.ts'

/** Loading, failed, empty; else the rows. */
export function GridStates({ grid, children }: { grid: GridRows; children: ReactNode }) {
  const [search, setSearch] = useScreenState()
  const { isPending, error, rows, retry } = grid
  if (rows.length > 0 || (!isPending && !error && grid.isPlaceholderData)) {
    return (
      <div className={styles.full}>
        {children}
        {error && (
          <div className={styles.failed}>
            <ReadFailed error={error} retry={retry} />
          </div>
        )}
      </div>
    )
  }
  return (
    <div className={styles.instead}>
      {isPending && <Skeleton rows={16} />}
      {error && <ReadFailed error={error} retry={retry} />}
      {!isPending && !error && isFiltered(search) && (
        <NoMatch
          kind="campaign"
          action={
            <Button onClick={() => setSearch(withoutFilters(search))}>Clear the filters</Button>
          }
        >
          Change or clear the filters. Archived campaigns are left out unless you ask for them.
        </NoMatch>
      )}
      {!isPending && !error && !isFiltered(search) && <NoCampaigns />}
    </div>
  )
}

function NoCampaigns() {
  const navigate = useNavigate()
  const blocked = useBlocked('createCampaign')
  return (
    <Empty
      title="No campaigns yet"
      action={
        <Button blocked={blocked} onClick={() => void navigate({ to: '/campaigns/new' })}>
          New campaign
        </Button>
      }
    >
      A campaign says what to advertise, for how much and when. It runs under a profile.
    </Empty>
  )
}
