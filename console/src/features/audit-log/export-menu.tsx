import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { saveFile } from '../../data/download.ts'
import { flightdeck } from '../../flightdeck.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { sayTrouble } from '../../ui/toast.tsx'

const formats = [
  { format: 'ndjson', name: 'NDJSON, as it was written' },
  { format: 'csv', name: 'CSV, for a spreadsheet' },
] as const

/** Saves the records that the filters find as a file. */
export function ExportMenu({ filters }: { filters: Record<string, string | string[]> }) {
  const [isBusy, setBusy] = useState(false)
  const save = async (format: 'ndjson' | 'csv') => {
    setBusy(true)
    try {
      const answer = await flightdeck.auditLogs.export({ ...filters, format })
      await saveFile(answer, `audit_log.${format}`)
    } catch (error) {
      sayTrouble(error)
    }
    setBusy(false)
  }
  return (
    <Menu
      trigger={
        <Button icon={<IconDownload aria-hidden />} busy={isBusy}>
          Export
        </Button>
      }
      items={formats.map(({ format, name }) => ({ name, run: () => void save(format) }))}
    />
  )
}
