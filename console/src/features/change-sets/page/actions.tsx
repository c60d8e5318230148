import type { WriteOptions } from '@flightdeckhq/sdk'
import { useState } from 'react'
import { formatTime } from '../../../data/values/time.ts'
import { flightdeck } from '../../../flightdeck.ts'
import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/forms/confirm.tsx'
import { say } from '../../../ui/layers/toast.tsx'
import type { ChangeSet } from '../queries.ts'
import { Spend } from './spend.tsx'

type Action = 'approve' | 'reject' | 'cancel' | 'refresh' | 'apply'
type ChangeSetReason = ChangeSet['available_actions'][number]['blocked_by'][number]

const sends: Readonly<
  Record<Action, (changeSet: ChangeSet, write: WriteOptions) => PromiseLike<unknown>>
> = {
  approve: (changeSet, write) => flightdeck.changeSets.approve(changeSet, {}, write),
  reject: (changeSet, write) =>
    flightdeck.changeSets.reject(changeSet, { reason: write.reason ?? '' }, write),
  cancel: (changeSet, write) => flightdeck.changeSets.cancel(changeSet, write),
  refresh: (changeSet, write) => flightdeck.changeSets.refresh(changeSet, write),
  apply: (changeSet, write) => flightdeck.changeSets.apply(changeSet, write),
}

type Words = { verb: string; dismiss?: string; text: string; done: string }

const words: Readonly<Record<Action, Words>> = {
  approve: {
    verb: 'Approve',
    text: 'What is shown here is what may be applied. Any difference voids the approval.',
    done: 'is approved',
  },
  reject: { verb: 'Reject', text: 'Its author reads the reason.', done: 'is rejected' },
  cancel: {
    verb: 'Cancel change set',
    dismiss: 'Keep it',
    text: 'It is closed, and nothing is changed.',
    done: 'is cancelled',
  },
  refresh: {
    verb: 'Try it out again',
    text: 'It is tried on what is there now. An approval is void if anything differs.',
    done: 'has been tried out again',
  },
  apply: { verb: 'Apply', text: 'All of its edits take effect at once.', done: 'is applied' },
}

/** Reasons why an action is not possible now, in words. */
const reasons: Readonly<Record<ChangeSetReason, string>> = {
  insufficient_role: 'Your role does not allow it.',
  self_approval_forbidden: 'You proposed it: another person must approve it.',
  approval_required: 'It needs an approval first.',
  change_set_not_applicable: 'Some of its edits cannot be applied.',
}

const order: readonly Action[] = ['cancel', 'refresh', 'reject', 'approve', 'apply']

/** The actions that the service offers now. */
export function Actions({ changeSet }: { changeSet: ChangeSet }) {
  const [asked, setAsked] = useState<Action | null>(null)
  const mayNot = useBlocked('applyChangeSet')
  const offered = order.flatMap((action) =>
    changeSet.available_actions
      .filter((each) => each.action === action)
      .map((each) => ({ ...each, action })),
  )
  return (
    <>
      {offered.map(({ action, allowed, blocked_by }) => (
        <Button
          key={action}
          look={action === primaryOf(changeSet) ? 'primary' : 'plain'}
          blocked={mayNot ?? (allowed ? null : blocked_by.map(reasonText).join(' '))}
          onClick={() => setAsked(action)}
        >
          {words[action].verb}
        </Button>
      ))}
      {asked && <Ask action={asked} changeSet={changeSet} onClose={() => setAsked(null)} />}
    </>
  )
}

/** A newer service may know reasons that this console does not. */
const reasonText = (reason: ChangeSetReason): string => reasons[reason] ?? `${reason}.`

/** One that waits for its time is well as it is: nothing invites to apply it before. */
const primaryOf = ({ status, stale, approval, approved_at }: ChangeSet): Action | null => {
  if (stale.length > 0) return 'refresh'
  if (status === 'scheduled') return null
  return approval.required && approved_at === null ? 'approve' : 'apply'
}

type AskProps = { action: Action; changeSet: ChangeSet; onClose: () => void }

function Ask({ action, changeSet, onClose }: AskProps) {
  const { text, done, ...buttons } = words[action]
  return (
    <Confirm
      title={`${buttons.verb}: ${changeSet.title}?`}
      text={[action === 'apply' && earlyText(changeSet), text].filter(Boolean).join(' ')}
      {...buttons}
      {...(action === 'reject' && { reasonFor: 'Its author reads this.' })}
      run={(write) => sends[action](changeSet, write)}
      onDone={() => {
        say(`${changeSet.title} ${done}`)
        onClose()
      }}
      onClose={onClose}
    >
      {(action === 'apply' || action === 'approve') && <Spend deltas={changeSet.spend_delta} />}
    </Confirm>
  )
}

/** Applied by hand before its time. */
function earlyText({ apply_at, revert_at }: ChangeSet): string | null {
  if (apply_at === null) return null
  const back = revert_at === null ? '' : ` It is still set back on ${formatTime(revert_at)}.`
  return `It is scheduled for ${formatTime(apply_at)}; this applies it now instead.${back}`
}
