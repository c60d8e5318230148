import { useDeferredValue, useState } from 'react'
import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import { say } from '../../../ui/layers/toast.tsx'
import { troubleOf } from '../../../ui/problem.ts'
import { Status } from '../../../ui/values/status.tsx'
import { Soft } from '../../../ui/values/text.tsx'
import styles from '../change-sets.module.css'
import { Spend } from '../page/spend.tsx'
import { type Tray, useTray } from '../tray.ts'
import { countOf, type Failing, useTrial } from '../trial.ts'
import { ProposeDialog } from './propose.tsx'

/** Edits that are not published yet, with the spend that they add, always in sight. */
export default function TrayBar() {
  const tray = useTray()
  return tray.edits.length === 0 ? null : <FullTray tray={tray} />
}

function FullTray({ tray }: { tray: Tray }) {
  const [isOpen, setOpen] = useState(false)
  const blocked = useBlocked('proposeChangeSet')
  const { edits } = tray
  const discard = () => {
    tray.clear()
    say(`${count(edits.length)} discarded`, {
      action: { name: 'Undo', run: () => void tray.add(edits) },
    })
  }
  return (
    <section className={styles.tray} data-tray aria-label="Edits not published">
      <div className={styles.trayText}>
        <span className={styles.count}>{count(edits.length)} not published</span>
        <TrialResult edits={edits} />
      </div>
      <Button onClick={discard}>Discard</Button>
      <Button look="primary" blocked={blocked} onClick={() => setOpen(true)}>
        Review and publish
      </Button>
      {isOpen && <ProposeDialog tray={tray} onClose={() => setOpen(false)} />}
    </section>
  )
}

const count = (edits: number) => (edits === 1 ? '1 edit' : `${edits} edits`)

function TrialResult({ edits: latest }: Pick<Tray, 'edits'>) {
  const edits = useDeferredValue(latest)
  const { trial, error, failing } = useTrial(edits)
  if (failing.faults.size > 0) return <FailingEdits edits={edits} failing={failing} />
  if (error) return <Status tone="bad">{troubleOf(error).detail}</Status>
  if (!trial) return <Soft>Trying it out…</Soft>
  const { approval, spend_delta } = trial
  return (
    <>
      <Spend deltas={spend_delta} />
      {approval.required && <Status tone="warn">Needs an approval</Status>}
    </>
  )
}

type FailingProps = Pick<Tray, 'edits'> & { failing: Failing }

/** The first of those that fail, and why; the review has more. */
function FailingEdits({ edits, failing }: FailingProps) {
  const { faults } = failing
  const first = edits.find(({ id }) => faults.has(id))
  return (
    <>
      <Status tone="bad">{`${countOf(failing)} cannot be applied`}</Status>
      {first && (
        <span className={styles.failing}>
          {first.name}: {faults.get(first.id)?.[0]}
        </span>
      )}
    </>
  )
}
