import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { saveFile } from '../../../data/download.ts'
import { useScreenState } from '../../../data/search.ts'
import { flightdeck } from '../../../flightdeck.ts'
import { Button } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { sayTrouble } from '../../../ui/toast.tsx'
import { gridQuery } from './view.ts'

/** The whole filtered list as a file, whatever is loaded and shown of it. */
export function ExportMenu() {
  const [search] = useScreenState()
  const [isBusy, setBusy] = useState(false)
  const save = async (format: 'csv' | 'ndjson') => {
    setBusy(true)
    try {
      const { sort: _, ...filters } = gridQuery(search)
      await saveFile(
        await flightdeck.campaigns.export({ ...filters, format }),
        `campaigns.${format}`,
      )
    } catch (error) {
      sayTrouble(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Menu
      trigger={
        <Button icon={<IconDownload aria-hidden />} busy={isBusy}>
          Export
        </Button>
      }
      items={[
        { name: 'CSV, for spreadsheets', run: () => void save('csv') },
        { name: 'NDJSON, one object a line', run: () => void save('ndjson') },
      ]}
    />
  )
}
