import { type DryRun, FlightdeckError } from '@flightdeckhq/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDebounced } from '../../../data/debounced.ts'
import type { Campaign } from '../../../flightdeck.ts'
import { Notice } from '../../../ui/notice.tsx'
import { blockedText } from '../reasons.ts'
import styles from './fields.module.css'
import { type CampaignValues, fieldNames } from './values.ts'

type TrialProps = {
  /** The object of the form: another one is tried again. */
  of: string
  changes: Partial<CampaignValues>
  /** Whether there is enough to try. */
  isReady: boolean
  run: (changes: Partial<CampaignValues>) => Promise<DryRun<Campaign>>
}

const typingPauseMs = 700

/** Tries the edits on the service while one types, and shows its answer calmly. */
export function Trial({ of, changes, isReady, run }: TrialProps) {
  const text = useDebounced(isReady ? JSON.stringify(changes) : '{}', typingPauseMs)
  const { data, error } = useQuery({
    queryKey: ['try', of, text],
    queryFn: () => run(JSON.parse(text)),
    enabled: text !== '{}',
    retry: false,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
  const tried: Partial<CampaignValues> = JSON.parse(text)
  const notes = error ? faultsIn(error, tried) : data ? warningsIn(data) : []
  return (
    <div role="status" className={styles.trial}>
      {isReady && notes.map((note) => <Notice key={note} tone="warn" title={note} />)}
    </div>
  )
}

/** The faults of fields that were typed in; the others are yet to come. */
function faultsIn(error: unknown, changes: Partial<CampaignValues>): readonly string[] {
  if (!(error instanceof FlightdeckError)) return []
  const { code, errors, problem } = error
  if (code !== 'validation_failed') return [problem.detail]
  return errors.flatMap(({ pointer = '', message = '' }) => {
    const field = pointer.split('/')[1] ?? ''
    return Object.hasOwn(changes, field) ? [`${nameOfField(field)} ${message}.`] : []
  })
}

const nameOfField = (field: string) => new Map(Object.entries(fieldNames)).get(field) ?? field

function warningsIn({ warnings, available_actions }: DryRun<Campaign>): readonly string[] {
  const launch = available_actions.find(({ action }) => action === 'launch')
  const others = warnings
    .filter(({ code }) => code !== 'launch_blocked')
    .map(({ pointer, message }) => `${nameOfField(pointer?.split('/')[1] ?? 'It')} ${message}.`)
  const blocked = launch && blockedText(launch.blocked_by)
  return [...others, ...(blocked ? [`It could not be launched now. ${blocked}`] : [])]
}
