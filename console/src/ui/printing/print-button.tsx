import { IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { IconButton } from '../button.tsx'
import { printScreen } from './printing.ts'

/** Reads what is not loaded yet, then opens the browser's own dialog. */
export function PrintButton() {
  const [isBusy, setBusy] = useState(false)
  const print = () => {
    setBusy(true)
    void printScreen().finally(() => setBusy(false))
  }
  return (
    <IconButton
      name="Print"
      look="quiet"
      busy={isBusy}
      icon={<IconPrinter aria-hidden />}
      onClick={print}
    />
  )
}
