import type { Schema } from '../../../flightdeck.ts'
import type { Start } from '../../change-sets/tray.ts'

export type Action = Schema<'CampaignAction'>

/** A rejection always has a reason. */
export type ActionAtOnce = Exclude<Action, 'reject'>

type Words = {
  /** On the button. */
  verb: string
  /** `Spring Sale 2026 is paused`. */
  done: string
  /** The consequences of the action. */
  follows: string
  /** How it is taken back. */
  undo?: ActionAtOnce
}

/** How each action reads. Those that start to spend, or cannot be taken back, ask first. */
export const actionWords: Readonly<Record<Action, Words>> = {
  launch: {
    verb: 'Launch',
    done: 'is launched',
    follows: 'From its start on it may deliver and spend, within the budgets below.',
  },
  submit: {
    verb: 'Submit',
    done: 'is submitted',
    follows: 'Approvers see it with these terms. While it waits, they cannot be changed.',
  },
  approve: {
    verb: 'Approve',
    done: 'is approved',
    follows: 'It runs with these terms. Whatever goes beyond them needs another approval.',
  },
  reject: {
    verb: 'Reject',
    done: 'is rejected',
    follows: 'It goes back to the state it had before it was submitted.',
  },
  withdraw: {
    verb: 'Withdraw',
    done: 'is withdrawn',
    follows: 'It goes back to the state it had before it was submitted.',
    undo: 'submit',
  },
  unschedule: {
    verb: 'Unschedule',
    done: 'is unscheduled',
    follows: 'It becomes a draft again and does not start by itself.',
  },
  pause: {
    verb: 'Pause',
    done: 'is paused',
    follows: 'It stops delivering until it is resumed.',
    undo: 'resume',
  },
  resume: {
    verb: 'Resume',
    done: 'is resumed',
    follows: 'It may deliver and spend again, within the budgets below.',
    undo: 'pause',
  },
  complete: {
    verb: 'Complete',
    done: 'is completed',
    follows: 'It stops for good and cannot be resumed. Its records stay.',
  },
  archive: {
    verb: 'Archive',
    done: 'is archived',
    follows: 'It leaves the lists until it is unarchived.',
    undo: 'unarchive',
  },
  unarchive: {
    verb: 'Unarchive',
    done: 'is back from the archive',
    follows: 'It has the status again that it had before.',
    undo: 'archive',
  },
}

/**
 * Whether the action begins to spend: it may wait for other edits, and asks before it is done at
 * once.
 */
export const isStart = (action: Action): action is Start =>
  action === 'launch' || action === 'resume'

/** Whether a dialog is shown first. */
export const asksFirst = (action: Action): boolean =>
  actionWords[action].undo === undefined || isStart(action)

export const isAction = (name: string | undefined): name is Action =>
  name !== undefined && Object.hasOwn(actionWords, name)
