import { type KeyboardEvent, type RefObject, useEffect, useId, useRef } from 'react'
import { doubtsOf, typedMinor } from '../../../../data/typed.ts'
import { useCurrencies } from '../../../../data/values/currencies.ts'
import { type Campaign, flightdeck } from '../../../../flightdeck.ts'
import { Button } from '../../../../ui/button.tsx'
import { TextField } from '../../../../ui/fields/fields.tsx'
import { useForm } from '../../../../ui/fields/form.ts'
import { LabelsField } from '../../../../ui/fields/labels-field.tsx'
import { MoneyField } from '../../../../ui/fields/money-field.tsx'
import { TimeField } from '../../../../ui/fields/time-field.tsx'
import fieldStyles from '../../../../ui/fields.module.css'
import { bodyOf } from '../../../../ui/forms/body.ts'
import { Restored } from '../../../../ui/forms/form-dialog.tsx'
import { useSaving } from '../../../../ui/forms/saving.tsx'
import { storedIn } from '../../../../ui/forms/stored.ts'
import { controlsIn } from '../../../../ui/layers/controls.ts'
import { placeAt } from '../../../../ui/layers/place.ts'
import { amountsIn } from '../../form/values.ts'
import type { EditableField, GridRow } from '../columns/column.ts'
import { learn } from '../known.ts'
import styles from './cell-editor.module.css'
import { PublishLater } from './publish-later.tsx'

type CellValues = {
  name: string
  daily_budget: string | null
  lifetime_budget: string | null
  labels: readonly string[]
  start_at: string | null
  end_at: string | null
}

const titles: Readonly<Record<EditableField, string>> = {
  name: 'Name',
  daily_budget: 'Daily budget',
  lifetime_budget: 'Lifetime budget',
  labels: 'Labels',
  start_at: 'Start',
  end_at: 'End',
}

function valuesOf(row: GridRow): CellValues {
  const amount = (minor: number | null = null) =>
    minor === null ? null : typedMinor(minor, row.currency_exponent)
  const { name, labels = [], start_at = null, end_at = null } = row
  return {
    name,
    daily_budget: amount(row.daily_budget_minor),
    lifetime_budget: amount(row.lifetime_budget_minor),
    labels,
    start_at,
    end_at,
  }
}

const doubtsIn = ({ daily_budget, lifetime_budget }: CellValues, { currency }: GridRow) =>
  doubtsOf({ '/daily_budget': daily_budget, '/lifetime_budget': lifetime_budget }, currency)

type EditorProps = {
  row: GridRow
  field: EditableField
  /** The cell, wherever it is now. */
  anchor: () => HTMLElement | null
  grid: RefObject<HTMLElement | null>
  onClose: () => void
}

/** Edits one value beside its cell: Enter saves, Escape drops it. */
export default function CellEditor({ row, field, anchor, grid, onClose }: EditorProps) {
  const panel = useRef<HTMLDivElement>(null)
  const titleId = useId()
  const { form, saving, drop } = useCellEdit(row, field, onClose)
  useBesideCell({ panel, anchor, grid, onLeave: form.isChanged ? null : onClose })
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Tab') stayInside(event)
    if (event.key !== 'Escape') return
    event.preventDefault()
    drop()
  }
  return (
    <div
      ref={panel}
      role="dialog"
      aria-labelledby={titleId}
      tabIndex={-1}
      popover="manual"
      className={styles.editor}
      onKeyDown={onKey}
    >
      <form noValidate className={fieldStyles.form} onSubmit={saving.onSubmit}>
        <p id={titleId} className={styles.title}>
          {titles[field]} of {row.name}
        </p>
        <Restored form={form} />
        {saving.notice}
        <EditorField field={field} row={row} form={form} />
        <details className={styles.reason}>
          <summary>Add a reason</summary>
          {saving.reasonField}
        </details>
        <Buttons field={field} row={row} form={form} isBusy={saving.isBusy} onDrop={drop} />
      </form>
    </div>
  )
}

function useCellEdit(row: GridRow, field: EditableField, onClose: () => void) {
  // Amounts are read again with the decimals of their currency.
  useCurrencies()
  const form = useForm({
    draft: `campaign ${row.id} ${field}`,
    initial: valuesOf(row),
    version: row.version,
    check: (values) => doubtsIn(values, row),
  })
  const saving = useSaving<CellValues, Campaign>({
    form,
    isBrief: true,
    submit: (changes, write) =>
      flightdeck.campaigns.update(row.id, bodyOf(changes, amountsIn(row)), write),
    stored: async () => storedIn(await flightdeck.campaigns.get(row.id), valuesOf),
    onDone: (campaign) => {
      learn([campaign])
      onClose()
    },
  })
  const drop = () => {
    form.reset()
    onClose()
  }
  return { form, saving, drop }
}

/** From the last control to the first, and back: the page behind waits for Enter or Escape. */
function stayInside(event: KeyboardEvent<HTMLElement>): void {
  const controls = controlsIn(event.currentTarget)
  const [from, to] = event.shiftKey ? [0, -1] : [-1, 0]
  if (document.activeElement !== controls.at(from)) return
  event.preventDefault()
  controls.at(to)?.focus()
}

type EditorFieldProps = {
  field: EditableField
  row: GridRow
  form: ReturnType<typeof useForm<CellValues>>
}

function EditorField({ field, row, form }: EditorFieldProps) {
  const label = titles[field]
  if (field === 'name') return <TextField label={label} {...form.field(field)} />
  if (field === 'labels') return <LabelsField label={label} optional {...form.field(field)} />
  if (field === 'start_at' || field === 'end_at')
    return <TimeField label={label} optional zone={row.time_zone} {...form.field(field)} />
  return (
    <MoneyField
      label={label}
      optional
      currency={row.currency}
      per={field === 'daily_budget' ? 'a day' : 'in all'}
      was={form.initial[field]}
      {...form.field(field)}
    />
  )
}

type ButtonsProps = EditorFieldProps & { isBusy: boolean; onDrop: () => void }

const Buttons = ({ field, row, form, isBusy, onDrop }: ButtonsProps) => (
  <div className={styles.buttons}>
    <Button small onClick={onDrop}>
      Cancel
    </Button>
    {(field === 'daily_budget' || field === 'lifetime_budget') && (
      <PublishLater row={row} field={field} amount={form.values[field]} onDone={onDrop} />
    )}
    <Button
      small
      type="submit"
      look="primary"
      busy={isBusy}
      blocked={form.isChanged ? null : 'Nothing has been changed.'}
    >
      Save
    </Button>
  </div>
)

type Beside = {
  panel: RefObject<HTMLElement | null>
  anchor: () => HTMLElement | null
  grid: RefObject<HTMLElement | null>
  /** Called for a press elsewhere; null while there are edits. */
  onLeave: (() => void) | null
}

/** Shows the panel at the cell, also while the grid scrolls. */
function useBesideCell({ panel, anchor, grid, onLeave }: Beside): void {
  const leave = useRef(onLeave)
  leave.current = onLeave
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the anchor is looked up each time.
  useEffect(() => {
    const end = new AbortController()
    const { signal } = end
    const place = () => {
      const cell = anchor()
      if (panel.current && cell) placeAt(panel.current, cell, 'start')
    }
    panel.current?.showPopover()
    place()
    const first = panel.current?.querySelector<HTMLInputElement>('input')
    first?.focus()
    first?.select()
    grid.current?.addEventListener('scroll', place, { signal })
    window.addEventListener('resize', place, { signal })
    document.addEventListener(
      'pointerdown',
      ({ target }) => {
        if (target instanceof Node && !panel.current?.contains(target)) leave.current?.()
      },
      { signal },
    )
    return () => end.abort()
  }, [])
}
