import { useEffect, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import fieldStyles from '../../../ui/fields.module.css'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { countOf } from '../../../ui/values/scope.ts'
import { Soft } from '../../../ui/values/text.tsx'
import { type Deployment, rereadDeployments } from '../queries.ts'
import { actionWords } from '../words.ts'
import styles from './bulk.module.css'
import { type Outcome, runOnAll } from './run.ts'

type BulkProps = { action: string; deployments: readonly Deployment[]; onClose: () => void }

/** Tries an action on all that are chosen, shows what it comes to, and takes it where it can be. */
export default function BulkDialog({ action, deployments, onClose }: BulkProps) {
  // The list changes behind the dialog.
  const [all] = useState(deployments)
  const { tried, ended, possible, done, isBusy, run } = useBulk(action, all)
  const words = actionWords[action]
  const nothing = possible.length === 0 ? 'None of them can.' : null
  const shown = ended ?? tried
  return (
    <Dialog
      title={`${words?.name} ${countOf(all.length, 'deployment')}`}
      wide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{ended ? 'Close' : 'Cancel'}</Button>
          {!ended && (
            <Button
              look="primary"
              busy={isBusy}
              blocked={tried ? nothing : 'It is being tried out.'}
              onClick={() => void run()}
            >
              {isBusy ? `${done} of ${possible.length}` : `${words?.name} ${possible.length}`}
            </Button>
          )}
        </>
      }
    >
      <div className={fieldStyles.form}>
        <p>{words?.follows}</p>
        {!tried && <Soft>Trying it out…</Soft>}
        {shown && <Outcomes outcomes={shown} isDone={ended !== null} />}
      </div>
    </Dialog>
  )
}

function useBulk(action: string, all: readonly Deployment[]) {
  const [done, setDone] = useState(0)
  const [tried, setTried] = useState<readonly Outcome[] | null>(null)
  const [ended, setEnded] = useState<readonly Outcome[] | null>(null)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    let isShown = true
    void runOnAll(all, { action, isDryRun: true, onOne: () => {} }).then(
      (outcomes) => isShown && setTried(outcomes),
    )
    return () => {
      isShown = false
    }
  }, [all, action])
  const possible = (tried ?? []).flatMap((each) => (each.refusal === null ? each.deployment : []))
  const run = async () => {
    setBusy(true)
    setEnded(await runOnAll(possible, { action, isDryRun: false, onOne: setDone }))
    setBusy(false)
    await rereadDeployments()
  }
  return { tried, ended, possible, done, isBusy, run }
}

function Outcomes({ outcomes, isDone }: { outcomes: readonly Outcome[]; isDone: boolean }) {
  const refused = outcomes.filter(({ refusal }) => refusal !== null)
  const fine = outcomes.length - refused.length
  return (
    <div aria-live="polite" className={fieldStyles.form}>
      {fine > 0 && (
        <Notice tone="good" title={`${countOf(fine, 'deployment')} ${isDone ? 'done' : 'can'}`} />
      )}
      {refused.length > 0 && (
        <Notice
          tone="warn"
          title={`${countOf(refused.length, 'deployment')} ${isDone ? 'refused' : 'cannot'}`}
        >
          <ul className={styles.outcomes}>
            {refused.map(({ deployment, refusal }) => (
              <li key={deployment.id}>
                {deployment.desired.name}: {refusal}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}
