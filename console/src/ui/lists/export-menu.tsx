import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { saveFile } from '../../data/download.ts'
import { Button } from '../button.tsx'
import { Menu } from '../layers/menu.tsx'
import { sayTrouble } from '../layers/toast.tsx'

type Format = 'csv' | 'ndjson'

type ExportMenuProps = {
  /** The name of the file, without its ending. */
  fileName: string
  formats: readonly { format: Format; name: string }[]
  read: (format: Format) => Promise<Response>
}

/** Saves a list as a file, in the form that is chosen. */
export function ExportMenu({ fileName, formats, read }: ExportMenuProps) {
  const [isBusy, setBusy] = useState(false)
  const save = async (format: Format) => {
    setBusy(true)
    try {
      await saveFile(await read(format), `${fileName}.${format}`)
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
      items={formats.map(({ format, name }) => ({ name, run: () => void save(format) }))}
    />
  )
}
