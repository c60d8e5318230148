import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { SelectField } from '../../../../ui/fields/fields.tsx'
import fieldStyles from '../../../../ui/fields.module.css'
import { OverrideField, ReasonField } from '../../../../ui/forms/write-fields.tsx'
import { Dialog } from '../../../../ui/layers/dialog.tsx'
import { ProblemNotice } from '../../../../ui/notice.tsx'
import { actionWords } from '../../acting/action-words.ts'
import styles from './bulk.module.css'
import type { BulkChange } from './change.ts'
import { Gather } from './gather.tsx'
import { breaksGuardrail, Outcomes, Sums } from './outcomes.tsx'
import { Propose } from './propose.tsx'
import { type Mode, mostAtomic, type Outcome, type Write } from './run-bulk.ts'
import { isToDo, type Step, undoneBy, type useBulk } from './use-bulk.ts'

type TriedProps = {
  title: string
  bulk: ReturnType<typeof useBulk>
  onBack: (() => void) | null
  onSelect: (ids: readonly string[]) => void
  onClose: () => void
}

type Shown = Exclude<Step, { name: 'choose' }>

/** The outcome of each row: before anything happens, and after it did. */
export function Tried(props: TriedProps) {
  const { error, refused, busy, step } = props.bulk
  const [mode, setMode] = useState<Mode>('partial')
  const [reason, setReason] = useState<string | null>(null)
  const [override, setOverride] = useState<string | null>(null)
  if (step.name === 'choose') return null
  const write = { ...(reason && { reason }), ...(override && { overrideReason: override }) }
  const isDone = step.name === 'done'
  const again = () => void props.bulk.tryChange(step.change, write)
  const footer = isDone ? (
    <DoneFooter {...props} step={step} />
  ) : (
    <TriedFooter {...props} step={step} mode={mode} write={write} />
  )
  return (
    <Dialog title={props.title} wide onClose={props.onClose} footer={footer}>
      <div className={fieldStyles.form}>
        {error !== null && (
          <ProblemNotice error={error}>
            {!isDone && <Again isBusy={busy !== null} run={again} />}
          </ProblemNotice>
        )}
        <p role="status" className={styles.summary}>
          {busy ?? summaryOf(step.outcomes, isDone)}
        </p>
        <Sums change={step.change} outcomes={step.outcomes} />
        {!isDone && breaksGuardrail(error, step.outcomes) && (
          <Override value={override} onChange={setOverride} isBusy={busy !== null} run={again} />
        )}
        {!isDone && <ModeField mode={mode} onChange={setMode} />}
        {!isDone && <ReasonField value={reason} onChange={setReason} />}
        <Outcomes change={step.change} outcomes={step.outcomes} refused={refused} isDone={isDone} />
      </div>
    </Dialog>
  )
}

type AgainProps = { isBusy: boolean; run: () => void }

const Again = ({ isBusy, run }: AgainProps) => (
  <div>
    <Button small busy={isBusy} onClick={run}>
      Try it out again
    </Button>
  </div>
)

type OverrideProps = AgainProps & { value: string | null; onChange: (value: string | null) => void }

const Override = ({ value, onChange, isBusy, run }: OverrideProps) => (
  <>
    <OverrideField value={value} onChange={onChange} />
    <div>
      <Button small blocked={value ? null : 'It needs a reason.'} busy={isBusy} onClick={run}>
        Try again with this reason
      </Button>
    </div>
  </>
)

const modes = [
  { value: 'partial', name: 'Change those that can be, report the others' },
  { value: 'atomic', name: 'All or nothing' },
] as const

const ModeField = ({ mode, onChange }: { mode: Mode; onChange: (mode: Mode) => void }) => (
  <SelectField
    label="If a campaign cannot be changed"
    name="mode"
    fault={undefined}
    choices={modes}
    value={mode}
    onChange={onChange}
  />
)

function summaryOf(outcomes: readonly Outcome[], isDone: boolean): string {
  const failed = outcomes.filter(({ problem }) => problem).length
  const stay = outcomes.filter(({ problem, left }) => !problem && left).length
  const rest = outcomes.length - failed - stay
  const done = outcomes.filter(({ after, problem }) => after && !problem).length
  const parts = isDone
    ? [
        [done, 'changed'],
        [stay, stay === 1 ? 'stayed as it was' : 'stayed as they were'],
        [failed, 'failed'],
        [rest - done, 'not sent'],
      ]
    : [
        [rest, 'will change'],
        [stay, stay === 1 ? 'stays as it is' : 'stay as they are'],
        [failed, 'cannot be changed'],
      ]
  const counts = parts.filter(([count]) => count !== 0).map(([count, what]) => `${count} ${what}`)
  return `${counts.join(', ')}.`
}

type FooterProps = TriedProps & { step: Shown }

function TriedFooter({
  title,
  bulk,
  step,
  mode,
  write,
  onBack,
  onClose,
}: FooterProps & { mode: Mode; write: Write }) {
  const count = step.outcomes.filter(isToDo).length
  return (
    <>
      {onBack && <Button onClick={onBack}>Back</Button>}
      <Button onClick={onClose}>Cancel</Button>
      <Gather outcomes={step.outcomes} onDone={onClose} />
      <Propose title={title} outcomes={step.outcomes} mode={mode} write={write} />
      <Button
        look="primary"
        busy={bulk.busy !== null}
        blocked={notApplicable(step.outcomes, count, mode)}
        onClick={() => bulk.applyTried(mode, write)}
      >
        {`${verbOf(step.change)} ${count === 1 ? '1 campaign' : `${count} campaigns`}`}
      </Button>
    </>
  )
}

const verbOf = (change: BulkChange): string =>
  change.kind === 'action' ? actionWords[change.action].verb : 'Change'

function notApplicable(outcomes: readonly Outcome[], count: number, mode: Mode): string | null {
  if (count === 0) return 'No campaign would be changed.'
  if (mode === 'partial') return null
  if (outcomes.some(({ problem }) => problem)) return 'Some cannot be changed, so nothing would be.'
  return count > mostAtomic
    ? `All or nothing is for up to ${mostAtomic} at once; a change set takes more.`
    : null
}

function DoneFooter({ bulk, step, onSelect, onClose }: FooterProps) {
  const failed = step.outcomes
    .filter(({ problem, after, left }) => problem || (!after && !left))
    .map(({ id }) => id)
  const undone = step.name === 'done' ? undoneBy(step) : null
  const close = () => {
    // The campaigns that failed stay chosen.
    if (failed.length > 0) onSelect(failed)
    onClose()
  }
  return (
    <>
      {undone && (
        <Button
          busy={bulk.busy !== null}
          onClick={() => void bulk.tryChange(undone.undo, {}, undone.ids)}
        >
          Undo…
        </Button>
      )}
      {failed.length > 0 && (
        <Button
          busy={bulk.busy !== null}
          onClick={() => void bulk.tryChange(step.change, {}, failed)}
        >
          Try the others again
        </Button>
      )}
      <Button look="primary" onClick={close}>
        Done
      </Button>
    </>
  )
}
