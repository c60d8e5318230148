import { type ReactNode, useState } from 'react'
import { nameOf } from '../../../data/choices.ts'
import type { Campaign } from '../../../flightdeck.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/forms/confirm.tsx'
import { refusalOf, useTrial } from '../../../ui/forms/trial.ts'
import { Notice } from '../../../ui/notice.tsx'
import { troubleOf } from '../../../ui/problem.ts'
import { Soft } from '../../../ui/values/text.tsx'
import { ProposeInstead } from '../../change-sets/tray/instead.tsx'
import { actionBlocked, blockedText } from '../reasons.ts'
import { ApprovedTerms, Terms } from '../terms.tsx'
import { type Action, actionWords, isStart } from './action-words.ts'
import { perform, proposalOf } from './perform.ts'
import { StartLater } from './start-later.tsx'

type ActionDialogProps = {
  campaign: Campaign
  action: Action
  onDone: () => void
  onClose: () => void
}

/** Asks before an action, with what it is about. Only the version that was shown is acted on. */
export function ActionDialog({ campaign, action, onDone, onClose }: ActionDialogProps) {
  const [seen, setSeen] = useState(campaign)
  const { verb, follows } = actionWords[action]
  const blocked = actionBlocked(seen, action)
  const trial = useTrial({
    action,
    object: seen,
    dryRun: () => perform(action, seen).dryRun(),
    enabled: blocked === null && startsToSpend(action),
  })
  return (
    <Confirm
      title={`${verb} ${seen.name}?`}
      text={follows}
      verb={verb}
      wide
      blocked={blocked ?? refusalOf(trial.error)}
      {...(action === 'reject' && { reasonFor: 'The person who submitted it reads this.' })}
      actions={
        isStart(action) && (
          <StartLater campaign={seen} action={action} blocked={blocked} onDone={onClose} />
        )
      }
      run={(write) => perform(action, seen, write)}
      onDone={onDone}
      onClose={onClose}
    >
      {(reason) => (
        <>
          {campaign.version !== seen.version && <Changed onShow={() => setSeen(campaign)} />}
          {blocked && <Notice tone="warn" title={blocked} />}
          <Terms campaign={seen} />
          {action === 'approve' && <ApprovedTerms campaign={seen} />}
          {startsToSpend(action) && !blocked && (
            <Outcome {...trial}>
              <ProposeInstead
                error={trial.error}
                instead={() => proposalOf(action, seen, reason)}
                onDone={onClose}
              />
            </Outcome>
          )}
        </>
      )}
    </Confirm>
  )
}

const Changed = ({ onShow }: { onShow: () => void }) => (
  <Notice tone="warn" title="It has been changed since this was opened.">
    <div>
      <Button small onClick={onShow}>
        Show it as it is now
      </Button>
    </div>
  </Notice>
)

const startsToSpend = (action: Action) => ['launch', 'approve', 'resume'].includes(action)

type OutcomeProps = { data: Campaign | undefined; error: unknown; children: ReactNode }

function Outcome({ data, error, children }: OutcomeProps) {
  if (error) {
    return (
      <Notice tone="warn" title={troubleOf(error).detail}>
        {children}
      </Notice>
    )
  }
  if (!data) return <Soft>Trying it out…</Soft>
  const waits = data.delivery.reasons.filter((reason) => reason !== 'before_start')
  return (
    <Notice title={`It will be ${nameOf(data.status).toLowerCase()}.`}>
      {waits.length > 0 && <p>It does not deliver at once. {blockedText(waits)}</p>}
    </Notice>
  )
}
