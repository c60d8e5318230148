import { saveFile } from '../../data/download.ts'
import { flightdeck } from '../../flightdeck.ts'
import { sayTrouble } from '../../ui/layers/toast.tsx'

/** Saves the figures of a report, or of its snapshot. */
export function saveCsv(id: string, snapshot?: string): void {
  const { reports } = flightdeck
  const format = { format: 'csv' } as const
  const answer =
    snapshot === undefined ? reports.getData(id, format) : reports.getSnapshot(id, snapshot, format)
  answer.then((file) => saveFile(file, 'report.csv')).catch(sayTrouble)
}
