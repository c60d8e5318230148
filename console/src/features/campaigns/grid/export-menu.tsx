import { useScreenState } from '../../../data/search.ts'
import { flightdeck } from '../../../flightdeck.ts'
import { ExportMenu } from '../../../ui/lists/export-menu.tsx'
import { gridQuery } from './views/query.ts'

const formats = [
  { format: 'csv', name: 'CSV, for spreadsheets' },
  { format: 'ndjson', name: 'NDJSON, one object a line' },
] as const

/** The whole filtered list as a file, whatever is loaded and shown of it. */
export default function ExportCampaigns() {
  const [search] = useScreenState()
  const { sort: _, ...filters } = gridQuery(search)
  return (
    <ExportMenu
      fileName="campaigns"
      formats={formats}
      read={async (format) => flightdeck.campaigns.export({ ...filters, format })}
    />
  )
}
