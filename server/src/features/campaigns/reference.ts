import type { Type } from 'typebox'
import {
  deletableIn,
  editableIn,
  reasons,
  type Status,
  statuses,
  transitions,
} from './lifecycle.ts'
import type { CampaignStates } from './schema.ts'

/** The lifecycle as data, from the table that drives it. */
export const campaignStates = (): Type.Static<typeof CampaignStates> => ({
  statuses: statuses.map((status) => ({
    status,
    editable_fields: [...editableIn[status]],
    deletable: deletableIn.includes(status),
  })),
  transitions: transitions.map(({ action, summary, from, checked, events }) => ({
    action,
    summary,
    from: [...from],
    to: Object.keys(events) as Status[],
    checked,
    events: [...new Set(Object.values(events))],
  })),
  reasons: [...reasons],
})
