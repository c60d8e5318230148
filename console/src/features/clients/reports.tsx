import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { one, useScreenState } from '../../data/search.ts'
import type { Client } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/lists/empty.tsx'
import { List } from '../../ui/lists/list.tsx'
import { columnsOfClient } from '../reports/columns.tsx'
import { NewReport } from '../reports/new.tsx'
import { reportList } from '../reports/queries.ts'

/** The reports that this client is shown. */
export default function Reports({ client: { id, name } }: { client: Client }) {
  const [search, setSearch] = useScreenState()
  const navigate = useNavigate()
  const sort = one(search.sort)
  const query = useInfiniteQuery(reportList({ client_id: id, sort }))
  return (
    <>
      <div>
        <Button
          small
          icon={<IconPlus aria-hidden />}
          blocked={useBlocked('createReport')}
          onClick={() => setSearch({ open: 'report' })}
        >
          New report
        </Button>
      </div>
      <List
        caption={`Reports of ${name}`}
        query={query}
        columns={columnsOfClient}
        sort={sort}
        onSort={(next) => setSearch({ sort: next })}
        empty={
          <Empty title="No reports yet">
            A report of this client is printed, saved as a PDF, or opened by a link.
          </Empty>
        }
      />
      {search.open === 'report' && (
        <NewReport
          clientId={id}
          onClose={() => setSearch({ open: undefined })}
          onDone={(made) => void navigate({ to: '/reports/$id', params: { id: made.id } })}
        />
      )}
    </>
  )
}
