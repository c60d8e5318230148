import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import type { ProblemCode } from '../../problems/codes.ts'
import { performAction } from './actions.ts'
import { type Transition, transitions } from './lifecycle/transitions.ts'
import { approveCampaigns, tag, writeCampaigns } from './resource.ts'
import { approverRoles } from './review.ts'
import { Campaign } from './schema.ts'
import { bodyOfAction } from './status/schema.ts'

/** POST /campaigns/:id/<action>, one endpoint per row of the transition table. */
export const actionEndpoints: Endpoint[] = transitions.map((transition) => {
  const { action, summary, from, events, by, takesReason } = transition
  return endpoint({
    operation: `${action}Campaign`,
    tag,
    summary,
    description: [`From ${from.join(', ')}.`, ...remarksOn(transition)].join(' '),
    method: 'POST',
    path: `/campaigns/:id/${action}`,
    permission: by === 'approver' ? approveCampaigns : writeCampaigns,
    ...(by === 'approver' && { requiredRoles: approverRoles }),
    action: Object.values(events)[0] ?? `campaign.${action}`,
    body: bodyOfAction(action),
    example: {
      reason: takesReason ? 'The budget belongs to next month.' : 'As agreed with the client.',
    },
    reply: Campaign,
    problems: problemsOf(transition),
    run: (ctx, { id, body }) => performAction(ctx, id, { action, ...body }),
  })
})

function remarksOn({ once, namesVersion }: Transition): string[] {
  const again = 'If the action has already taken effect, nothing changes.'
  const version =
    'Requires `If-Match` with the version that was reviewed (in bulk: `version`); without it, or with `*`, the response is 428.'
  return [...(once ? [] : [again]), ...(namesVersion ? [version] : [])]
}

function problemsOf({ action, checked, approval, by }: Transition): ProblemCode[] {
  return [
    'invalid_state_transition',
    ...(checked ? (['launch_blocked', 'guardrail_violation', 'change_set_required'] as const) : []),
    ...(approval === 'needed' ? (['approval_required'] as const) : []),
    ...(by ? (['insufficient_role'] as const) : []),
    ...(action === 'approve' ? (['self_approval_forbidden'] as const) : []),
    ...(action === 'unarchive' ? (['limit_exceeded'] as const) : []),
  ]
}
