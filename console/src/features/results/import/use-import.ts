import {
  type Reading,
  type Report,
  type Sent,
  storeResults,
  type Trial,
  tryResults,
} from '@flightdeckhq/sdk/results-file'
import { useEffect, useState } from 'react'
import { organizationNow } from '../../../data/organization.ts'
import { flightdeck } from '../../../flightdeck.ts'
import { useMay, useSession } from '../../../session.tsx'
import type { Form } from '../../../ui/fields/form.ts'
import { eventsUntilNow, type Moved, movedSince } from './moved.ts'
import { remember } from './remembered.ts'
import type { Settings } from './settings.ts'
import type { Sheet } from './sheet.ts'

/** The state of an import, from its trial to its result. */
export type Progress =
  | { readonly at: 'nothing' }
  | { readonly at: 'failed'; readonly error: unknown }
  | { readonly at: 'tried'; readonly trial: Trial; readonly report: Report }
  | {
      readonly at: 'stored'
      readonly trial: Trial
      readonly sent: Sent
      readonly moved: readonly Moved[]
    }

export type Run = {
  readonly progress: Progress
  readonly isBusy: boolean
  /** Tries all rows, and stores them if nothing is wrong; final days of these lines are corrected. */
  check(restate?: ReadonlySet<number>): Promise<void>
  /** Stores the rows that were tried, and leaves the others. */
  storeRest(): Promise<void>
}

export function useImport(sheet: Sheet, form: Form<Settings>): Run {
  const { organization } = useSession()
  const maySeeEvents = useMay('listEvents')
  const [progress, setProgress] = useState<Progress>({ at: 'nothing' })
  const [isBusy, setBusy] = useState(false)
  const { file, columns } = sheet
  const { values } = form
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was found holds for these alone.
  useEffect(() => setProgress({ at: 'nothing' }), [file, columns, values])
  const begin = async (work: () => Promise<Progress>) => {
    setBusy(true)
    setProgress(await work().catch((error: unknown): Progress => ({ at: 'failed', error })))
    setBusy(false)
  }
  const store = async (trial: Trial, report: Report): Promise<Progress> => {
    const before = maySeeEvents ? await eventsUntilNow() : null
    const sent = await storeResults(flightdeck, report, { file, columns, days: trial.days })
    const { source, date_format: dateFormat, decimal } = values
    remember(organization.id, { source, file, columns, dateFormat, decimal })
    // The change of pacing is shown if it can be found; the import does not fail without it.
    const moved = before === null ? [] : await movedSince(before).catch(() => [])
    return { at: 'stored', trial, sent, moved }
  }
  return {
    progress,
    isBusy,
    check: (restate = new Set()) =>
      begin(async () => {
        const reading = readingOf(values, columns)
        const report = { ...(await reportOf(values)), restate }
        const trial = await tryResults(flightdeck, file, { reading, report })
        if (trial.error !== null) return { at: 'failed', error: trial.error }
        return trial.faults.length > 0 ? { at: 'tried', trial, report } : store(trial, report)
      }),
    storeRest: () =>
      begin(async () =>
        progress.at === 'tried' ? store(progress.trial, progress.report) : progress,
      ),
  }
}

const readingOf = ({ date_format, decimal }: Settings, columns: Reading['columns']): Reading => ({
  columns,
  dateFormat: date_format,
  decimal,
  skipTotals: true,
})

async function reportOf({ source, additional, is_final }: Settings): Promise<Report> {
  const reported_at = new Date(await organizationNow()).toISOString()
  return { source, additional, final: is_final, reported_at }
}
