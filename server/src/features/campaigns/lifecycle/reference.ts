import type { Type } from 'typebox'
import { keysOf } from '../../../values/objects.ts'
import { editableIn } from './editable.ts'
import type { CampaignStates } from './schema.ts'
import {
  blockReasons,
  deletableIn,
  statuses,
  timedTransitions,
  transitions,
} from './transitions.ts'

/** The lifecycle as data, generated from the transition tables. */
export const campaignStates = (): Type.Static<typeof CampaignStates> => ({
  statuses: statuses.map((status) => ({
    status,
    editable_fields: [...editableIn[status]],
    deletable: deletableIn.includes(status),
  })),
  transitions: transitions.map(({ action, summary, from, checked, approval, by, events }) => ({
    action,
    summary,
    from: [...from],
    to: keysOf(events),
    checked,
    approval: approval ?? null,
    by: by ?? 'writer',
    events: [...new Set(Object.values(events))],
  })),
  timed_transitions: timedTransitions.map(({ from, ...rest }) => ({ ...rest, from: [...from] })),
  reasons: [...blockReasons],
})
