import { isProblem, type WriteOptions } from '@flightdeckhq/sdk'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { FormValues } from '../../data/drafts.ts'
import { words } from '../../data/words.ts'
import type { Form } from '../fields/form.ts'
import { faultsOf } from '../problem.ts'
import { Conflict } from './conflict.tsx'
import type { StoredValues } from './stored.ts'
import { ReasonField, Refusal } from './write-fields.tsx'

export type SavingProps<Of extends FormValues, Saved> = {
  form: Form<Of>
  /** `changes` is what differs; `write` has the reason and the version. */
  submit: (changes: Partial<Of>, write: WriteOptions) => PromiseLike<Saved>
  onDone: (saved: Saved) => void
  /** Reads the stored values, for when another person has changed them in the meantime. */
  stored?: () => PromiseLike<StoredValues<Of>>
  /** Names of the values, for the comparison. */
  labels?: Readonly<Partial<Record<keyof Of, string>>>
  /** New objects may be saved without a change. */
  isNew?: boolean
  /** Set for a form of one field: faults that stand there are not said twice. */
  isBrief?: boolean
  /** Another way to the same, below what was refused. */
  instead?: (refused: Refused<Of>) => ReactNode
  /** Set if the refusal was mended outside the form: it is said no longer. */
  isMended?: boolean
}

type Refused<Of> = {
  error: unknown
  changes: Partial<Of>
  reason: string | null
}

type Saving = {
  isBusy: boolean
  onSubmit: (event: FormEvent) => void
  /** The refusal, and the way on. */
  notice: ReactNode
  reasonField: ReactNode
}

/** Sends a form: faults land on their fields, a conflict shows both sides, nothing typed is lost. */
export function useSaving<Of extends FormValues, Saved>(props: SavingProps<Of, Saved>): Saving {
  const { form, isNew } = props
  const sending = useSending(props)
  const { isBusy, save, error, conflict } = sending
  const said = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The button may be far below it.
    if (error !== null || conflict) said.current?.scrollIntoView({ block: 'nearest' })
    if (error !== null) focusFault()
  }, [error, conflict])
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (form.isDoubtful) return focusFault()
    if (!isBusy && (isNew || form.isChanged)) void save()
  }
  const notice = noticeOf(props, sending)
  const reasonField = <ReasonField value={sending.reason} onChange={sending.setReason} />
  return { isBusy, onSubmit, notice: notice && <div ref={said}>{notice}</div>, reasonField }
}

function useSending<Of extends FormValues, Saved>(props: SavingProps<Of, Saved>) {
  const { form, submit, onDone, stored, isNew } = props
  const [isBusy, setBusy] = useState(false)
  const [reason, setReason] = useState<string | null>(null)
  const [override, setOverride] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [conflict, setConflict] = useState<StoredValues<Of> | null>(null)
  const save = async () => {
    setBusy(true)
    setError(null)
    try {
      const given = { ...(reason && { reason }), ...(override && { overrideReason: override }) }
      const write = { ...given, ifMatch: form.version }
      const saved = await submit(isNew ? form.values : form.changes, write)
      form.reset()
      onDone(saved)
    } catch (thrown) {
      if (isProblem(thrown, 'version_mismatch') && stored) setConflict(await stored())
      else {
        setError(thrown)
        form.setFaults(faultsOf(thrown))
      }
    } finally {
      setBusy(false)
    }
  }

  const goOn = () => {
    if (conflict) form.rebase(conflict.values, conflict.version)
    setConflict(null)
  }
  return { isBusy, save, reason, setReason, override, setOverride, error, conflict, goOn }
}

type Sending<Of extends FormValues> = {
  error: unknown
  conflict: StoredValues<Of> | null
  goOn: () => void
  reason: string | null
  override: string | null
  setOverride: (reason: string | null) => void
}

function noticeOf<Of extends FormValues, Saved>(
  { form, labels, instead, isBrief = false, isMended = false }: SavingProps<Of, Saved>,
  { error, conflict, goOn, reason, override, setOverride }: Sending<Of>,
): ReactNode {
  if (conflict) return <Conflict form={form} stored={conflict} labels={labels} onGoOn={goOn} />
  if (!error || isMended || (isBrief && standsAtField(error))) return null
  return (
    <Refusal
      error={error}
      about={fieldsToCorrect(form, labels)}
      value={override}
      onChange={setOverride}
    >
      {instead?.({ error, changes: form.changes, reason })}
    </Refusal>
  )
}

/** Names the fields to correct, if all faults stand at fields; else nothing. */
function fieldsToCorrect<Of extends FormValues>(
  { faults, values }: Form<Of>,
  labels: SavingProps<Of, unknown>['labels'],
): string | undefined {
  const found = new Map([...faults].map(([pointer, text]) => [pointer.split('/')[1] ?? '', text]))
  const names = [...found.keys()]
  if (names.length === 0 || !names.every((name) => Object.hasOwn(values, name))) return undefined
  return [...found].map(([name, text]) => `${labels?.[name] ?? words(name)}: ${text}`).join(' ')
}

const standsAtField = (error: unknown): boolean =>
  isProblem(error, 'validation_failed') && faultsOf(error).size > 0

/** After the faults are shown. */
function focusFault(): void {
  const within = document.querySelector('dialog[open]') ?? document
  within.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
