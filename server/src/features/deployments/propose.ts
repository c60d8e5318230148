import { NewObject } from '../../http/endpoint.ts'
import { type Context, nowIn } from '../../kernel/context.ts'
import { checkVersion } from '../../kernel/rows.ts'
import { throwIfReplayed } from '../../kernel/transaction.ts'
import { conflict } from '../../problems/problem.ts'
import { keysOf } from '../../values/objects.ts'
import { proposeChangeSet } from '../change-sets/propose.ts'
import { checkPossible } from './actions.ts'
import { adoptable } from './adopt.ts'
import { campaignOf } from './campaign.ts'
import { deploymentOf } from './deployments.ts'

/** Proposes what was seen in the network as a change set: its trial finds what adopting would refuse. */
export async function proposeAdoption(ctx: Context, campaignId: string) {
  await throwIfReplayed(ctx)
  const row = await deploymentOf(ctx, campaignId)
  checkVersion(ctx, row.version)
  checkPossible(ctx, row, 'adopt')
  const { name, currency_exponent: exponent } = await campaignOf(ctx, campaignId)
  const { changes, action } = adoptable(row, { exponent, now: nowIn(ctx) })
  const update = { op: 'update', id: campaignId, body: changes }
  const operations = [
    ...(keysOf(changes).length > 0 ? [update] : []),
    ...(action ? [{ op: 'action', id: campaignId, action }] : []),
  ]
  if (operations.length === 0)
    throw conflict('invalid_state_transition', 'The network has what the campaign has.', {
      current_status: row.state,
      action: 'adopt',
      allowed_actions: [],
    })
  // The version that the caller named is the deployment's.
  const request = ctx.request && { ...ctx.request, status: 201 }
  const title = `${titleBegin}${[...name].slice(0, 255 - titleBegin.length).join('')}`
  const source = { kind: 'api' as const, reference: row.id }
  const proposal = { title, source, operations }
  return new NewObject(await proposeChangeSet({ ...ctx, ifMatch: null, request }, proposal))
}

const titleBegin = 'As in the network: '
