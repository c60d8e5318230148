import { flightdeck } from '../../flightdeck.ts'
import { ExportMenu } from '../../ui/lists/export-menu.tsx'

const formats = [
  { format: 'ndjson', name: 'NDJSON, as it was written' },
  { format: 'csv', name: 'CSV, for a spreadsheet' },
] as const

/** Saves the records that the filters find. */
export const ExportRecords = ({ filters }: { filters: Record<string, string | string[]> }) => (
  <ExportMenu
    fileName="audit_log"
    formats={formats}
    read={async (format) => flightdeck.auditLogs.export({ ...filters, format })}
  />
)
