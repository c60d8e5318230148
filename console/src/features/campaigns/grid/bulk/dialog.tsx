import { type FormEvent, useEffect, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import fieldStyles from '../../../../ui/fields.module.css'
import { Dialog } from '../../../../ui/layers/dialog.tsx'
import { Skeleton } from '../../../../ui/lists/skeleton.tsx'
import { ProblemNotice } from '../../../../ui/notice.tsx'
import { actionWords } from '../../acting/action-words.ts'
import type { BulkAction, BulkChange } from './change.ts'
import { BudgetForm, incomplete, LabelsForm, noBudget, noLabels } from './forms.tsx'
import { Tried } from './tried.tsx'
import { useBulk } from './use-bulk.ts'

export type BulkKind = BulkAction | 'labels' | 'budget'

type BulkProps = {
  kind: BulkKind
  ids: readonly string[]
  /** Goes on with those that failed, or were changed. */
  onSelect: (ids: readonly string[]) => void
  onClose: () => void
}

const titleOf = (kind: BulkKind, count: number): string => {
  const what = count === 1 ? '1 campaign' : `${count} campaigns`
  if (kind === 'labels') return `Labels of ${what}`
  if (kind === 'budget') return `Budget of ${what}`
  return `${actionWords[kind].verb} ${what}`
}

/** A change of many campaigns: nothing happens before its outcome was shown row by row. */
export default function BulkDialog({ kind, ids, onSelect, onClose }: BulkProps) {
  const bulk = useBulk(ids)
  const { step, tryChange } = bulk
  const isAction = kind !== 'labels' && kind !== 'budget'
  // biome-ignore lint/correctness/useExhaustiveDependencies: an action has nothing to choose, and is tried at once.
  useEffect(() => {
    if (isAction) void tryChange({ kind: 'action', action: kind }, {})
  }, [])
  const title = titleOf(kind, bulk.ids.length)
  if (step.name !== 'choose') {
    return (
      <Tried
        title={title}
        bulk={bulk}
        onBack={isAction ? null : bulk.back}
        onSelect={onSelect}
        onClose={onClose}
      />
    )
  }
  if (isAction) {
    return (
      <Dialog title={title} wide onClose={onClose}>
        {bulk.error ? <ProblemNotice error={bulk.error} /> : <Skeleton rows={8} />}
      </Dialog>
    )
  }
  return <Choosing kind={kind} title={title} bulk={bulk} onClose={onClose} />
}

type ChoosingProps = {
  kind: 'labels' | 'budget'
  title: string
  bulk: ReturnType<typeof useBulk>
  onClose: () => void
}

function Choosing({ kind, title, bulk, onClose }: ChoosingProps) {
  const [labels, setLabels] = useState(noLabels)
  const [budget, setBudget] = useState(noBudget)
  const change: BulkChange = kind === 'labels' ? labels : budget
  const blocked = incomplete(kind === 'labels' ? labels : budget)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!blocked && !bulk.busy) void bulk.tryChange(change, {})
  }
  const error = bulk.error ?? bulk.readError
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form="bulk-change"
            look="primary"
            blocked={blocked}
            busy={bulk.busy !== null}
          >
            {bulk.busy ?? 'Try it out'}
          </Button>
        </>
      }
    >
      <form id="bulk-change" className={fieldStyles.form} noValidate onSubmit={submit}>
        {error && <ProblemNotice error={error} />}
        {kind === 'labels' ? (
          <LabelsForm value={labels} onChange={setLabels} />
        ) : (
          <BudgetForm value={budget} onChange={setBudget} currencies={bulk.currencies} />
        )}
        <p className={fieldStyles.hint}>
          Nothing is changed yet: next, you see what would become of each campaign.
        </p>
      </form>
    </Dialog>
  )
}
