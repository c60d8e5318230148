import type { TSchema } from 'typebox'
import type { Checkable, Input } from '../../../http/endpoint.ts'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { type Fault, invalid, Problem, withPointerPrefix } from '../../../problems/problem.ts'
import { NoBody } from '../../../schema/fields.ts'
import { performAction } from '../actions.ts'
import { createCampaign, deleteCampaign, updateCampaign } from '../campaigns.ts'
import type { Action } from '../lifecycle/transitions.ts'
import {
  bodyOfAction,
  type Campaign,
  CampaignBody,
  CampaignChanges,
  type CampaignInput,
} from '../schema.ts'
import { AnyOperation, type OperationName, shellOf } from './schema.ts'

export type Check = Input<unknown>['check']

/** An operation whose envelope is valid; its body is not checked yet. */
type Operation = { op: OperationName; id: string; action: Action; body?: unknown }

type Kind = {
  status: number
  shell: TSchema
  body: TSchema
  run(ctx: Context, operation: Operation): Promise<Campaign | null>
}

/** Each operation, and the single request it corresponds to. */
const kinds: Record<OperationName, Kind> = {
  create: {
    status: 201,
    shell: shellOf('create'),
    body: CampaignBody,
    run: (ctx, { body }) => createCampaign(ctx, body as CampaignInput),
  },
  update: {
    status: 200,
    shell: shellOf('update'),
    body: CampaignChanges,
    run: (ctx, { id, body }) => updateCampaign(ctx, id, body as CampaignChanges),
  },
  action: {
    status: 200,
    shell: shellOf('action'),
    body: NoBody,
    run: (ctx, { id, action, body }) =>
      performAction(ctx, id, { action, ...(body as { reason?: string }) }),
  },
  delete: {
    status: 204,
    shell: shellOf('delete'),
    body: NoBody,
    run: async (ctx, { id }) => {
      await deleteCampaign(ctx, id)
      return null
    },
  },
}

/** Runs the operation; throws a problem whose pointers lead into the operation. */
export async function runOperation(
  ctx: WriteContext,
  given: unknown,
  check: Check,
): Promise<{ status: number; object: Campaign | null }> {
  const checkShape = (body: TSchema) => check({ body, run: nothing }, ctx, inputOf(given))
  await checkShape(AnyOperation)
  const operation = given as Operation
  const kind = kinds[operation.op]
  const shell = await faultsOf(checkShape(kind.shell))
  const faults = [
    ...shell.filter(({ pointer = '' }) => !pointer.startsWith('/body/')),
    ...inBody(await bodyFaults(kind, operation, { ctx, check, runs: shell.length === 0 })),
  ]
  if (faults.length > 0) throw invalid(faults)
  const object = await kind.run(ctx, operation).catch((error: unknown) => {
    throw thrownBy(kind, error)
  })
  return { status: kind.status, object }
}

const nothing = async () => {}

const inputOf = (body: unknown): Input<unknown> => ({
  body,
  id: '',
  innerId: '',
  query: {},
  check: nothing,
})

type Checking = { ctx: WriteContext; check: Check; runs: boolean }

/**
 * If the rest of the operation is valid, also runs the change to collect the faults it alone can
 * find.
 */
async function bodyFaults(kind: Kind, operation: Operation, { ctx, check, runs }: Checking) {
  const { body = {} } = operation
  if (operation.body === undefined && kind !== kinds.action) return []
  const checkable: Checkable = {
    body: kind === kinds.action ? bodyOfAction(operation.action) : kind.body,
    gathersFaults: runs,
    run: (ctx, { body }) => kind.run(ctx as Context, { ...operation, body }),
  }
  return faultsOf(check(checkable, ctx, inputOf(body)))
}

async function faultsOf(checked: Promise<void>): Promise<Fault[]> {
  try {
    await checked
    return []
  } catch (error) {
    if (error instanceof Problem && error.code === 'validation_failed') return error.faults
    throw error
  }
}

const inBody = (faults: readonly Fault[]): Fault[] =>
  faults.map((fault) =>
    fault.pointer === undefined ? fault : { ...fault, pointer: `/body${fault.pointer}` },
  )

/** Faults about the campaign itself do not point into an action's body. */
function thrownBy(kind: Kind, error: unknown): unknown {
  const isOfBody = error instanceof Problem && kind !== kinds.action
  return isOfBody ? withPointerPrefix(error, (pointer) => `/body${pointer}`) : error
}
