/**
 * Checks changes that an organization takes by change set only. Pausing, lowering and what drafts
 * hold stay free.
 */

import type { WriteContext } from '../../../kernel/context.ts'
import { checkDirect, mustPropose, type Proposer } from '../../guardrails/direct.ts'
import { isCovered } from '../lifecycle/approval.ts'
import { type Action, transitions } from '../lifecycle/transitions.ts'
import type { Details } from '../present.ts'
import { planOf } from '../review.ts'
import { isRaise } from './daily-cost.ts'

/** For the transitions into running. */
export function checkStart(ctx: WriteContext, { guardrails }: Details, action: Action): void {
  if (isTwoPeople(ctx, action)) return
  checkDirect(ctx, guardrails, 'start campaigns')
}

/** A person approves what another one has submitted. */
const isTwoPeople = ({ actor }: Pick<Proposer, 'actor'>, action: Action): boolean =>
  action === 'approve' && actor.type === 'user'

const starts = transitions.flatMap(({ action, checked }) => (checked ? [action] : []))

/** The transitions into running that the caller has to propose. */
export const startsToPropose = (caller: Proposer, { guardrails }: Details): readonly Action[] =>
  mustPropose(caller, guardrails) ? starts.filter((action) => !isTwoPeople(caller, action)) : []

/** People delete drafts freely. */
export function checkDeletion(ctx: WriteContext, { guardrails, status }: Details): void {
  if (ctx.actor.type === 'user' && status === 'draft') return
  checkDirect(ctx, guardrails, 'delete campaigns')
}

/** For a change of the plan: refused if it can cost more than before on any day. */
export function checkDearer(ctx: WriteContext, before: Details, after: Details): void {
  if (isDearer(ctx, before, after)) checkDirect(ctx, before.guardrails, 'raise what a day can cost')
}

/** Programs do not raise the budgets of drafts either. */
function isDearer(ctx: WriteContext, before: Details, after: Details): boolean {
  const [was, is] = [planOf(before), planOf(after)]
  if (before.status !== 'draft') {
    return !isCovered(is, was, ctx.now) || isRaise(before, after, ctx.now)
  }
  const { daily_budget_minor, lifetime_budget_minor, currency } = is
  const isProgram = ctx.actor.type === 'api_key'
  return (
    isProgram &&
    !isCovered({ ...was, daily_budget_minor, lifetime_budget_minor, currency }, was, ctx.now)
  )
}
