import type { TSchema, Type } from 'typebox'
import { type Checkable, checkNested, type Input } from '../../../http/endpoint.ts'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import type { Fault } from '../../../problems/fault.ts'
import { invalid, Problem, withPointerPrefix } from '../../../problems/problem.ts'
import { NoBody } from '../../../schema/fields.ts'
import { memberOf } from '../../../values/objects.ts'
import { type ActionRequest, performAction } from '../actions.ts'
import { createCampaign, deleteCampaign, updateCampaign } from '../campaigns.ts'
import { type Action, actions } from '../lifecycle/transitions.ts'
import { type Campaign, CampaignBody, CampaignChanges } from '../schema.ts'
import { bodyOfAction } from '../status/schema.ts'
import { AnyOperation, type OperationName, shellOf } from './schema.ts'

/** An operation as sent; the shell of its kind checks these parts. */
type Operation = { id: string; action: Action | undefined; body: unknown }

type Kind<T> = {
  status: number
  shell: TSchema
  prepare(operation: Operation, checking: Checking): Promise<Prepared<T>>
}

type Prepared<T> = { faults: Fault[]; run(): Promise<T | null> }

/** Each operation on a kind of object, and the single request it corresponds to. */
export type Kinds<T> = Readonly<Record<OperationName, Kind<T>>>

/** The single requests of a kind of object: the shapes of their bodies, and their verbs. */
type Requests<T, Created extends TSchema, Changed extends TSchema> = {
  created: Created
  changed: Changed
  create(ctx: Context, body: Type.Static<Created>): Promise<T>
  update(ctx: Context, id: string, body: Type.Static<Changed>): Promise<T>
  delete(ctx: Context, id: string): Promise<void>
  /** Absent for objects without actions. */
  act?(ctx: Context, id: string, request: ActionRequest): Promise<T>
}

export function kindsOf<T, Created extends TSchema, Changed extends TSchema>(
  requests: Requests<T, Created, Changed>,
): Kinds<T> {
  const { created, changed, act } = requests
  return {
    create: {
      status: 201,
      shell: shellOf('create'),
      prepare: ({ body }, checking) =>
        prepare({ schema: created, body, run: requests.create }, checking),
    },
    update: {
      status: 200,
      shell: shellOf('update'),
      prepare: ({ id, body }, checking) => {
        const run: Verb<T, Type.Static<Changed>> = (ctx, body) => requests.update(ctx, id, body)
        return prepare({ schema: changed, body, run }, checking)
      },
    },
    action: {
      status: 200,
      shell: shellOf('action'),
      prepare: ({ id, action, body }, checking) => {
        const run: Verb<T, { reason?: string }> = async (ctx, { reason }) =>
          action && act ? act(ctx, id, { action, reason }) : null
        return prepare({ schema: action ? bodyOfAction(action) : NoBody, body, run }, checking)
      },
    },
    delete: {
      status: 204,
      shell: shellOf('delete'),
      prepare: ({ id, body }, checking) => {
        const run: Verb<T, unknown> = async (ctx) => {
          await requests.delete(ctx, id)
          return null
        }
        return prepare({ schema: NoBody, body, run }, checking)
      },
    },
  }
}

export const campaignKinds: Kinds<Campaign> = kindsOf({
  created: CampaignBody,
  changed: CampaignChanges,
  create: createCampaign,
  update: updateCampaign,
  delete: deleteCampaign,
  act: performAction,
})

type BulkRun<T> = {
  kinds: Kinds<T>
  /** Replaces references in a body that is checked. */
  resolve?: Resolve
}

type Resolve = <Body>(body: Body) => Body

const asItIs: Resolve = (body) => body

/** Runs the operation; throws a problem whose pointers lead into the operation. */
export async function runOperation<T>(
  ctx: WriteContext,
  given: unknown,
  { kinds, resolve = asItIs }: BulkRun<T>,
): Promise<{ status: number; object: T | null }> {
  const checkShape = <Body extends TSchema>(body: Body) =>
    checkNested({ body, run: nothing }, ctx, given)
  const { op } = await checkShape(AnyOperation)
  const kind = kinds[op]
  const shell = await checkShape(kind.shell).then(() => [], faultsIn)
  const checking = { ctx, resolve, runs: shell.length === 0 }
  const { faults: inner, run } = await kind.prepare(operationIn(given), checking)
  const faults = [
    ...shell.filter(({ pointer = '' }) => !pointer.startsWith('/body/')),
    ...inBody(inner),
  ]
  if (faults.length > 0) throw invalid(faults)
  const object = await run().catch((error: unknown) => {
    throw thrownBy(op, error)
  })
  return { status: kind.status, object }
}

function operationIn(given: unknown): Operation {
  const [action, body] = [memberOf(given, 'action'), memberOf(given, 'body')]
  return {
    id: String(memberOf(given, 'id')),
    action: actions.find((each) => each === action),
    body: body === undefined ? {} : body,
  }
}

const nothing = async () => {}

type Verb<T, Body> = (ctx: Context, body: Body) => Promise<T | null>

type Single<T, Body extends TSchema> = {
  schema: Body
  body: unknown
  run: Verb<T, Type.Static<Body>>
}

/** `runs`: the rest of the operation is valid. */
type Checking = { ctx: WriteContext; resolve: Resolve; runs: boolean }

/**
 * Checks the body as that of the single request. If the rest of the operation is valid, an invalid
 * one also runs the change to collect the faults it alone can find.
 */
async function prepare<T, Body extends TSchema>(
  { schema, body: given, run }: Single<T, Body>,
  { ctx, resolve, runs }: Checking,
): Promise<Prepared<T>> {
  const checkable: Checkable<Body> = {
    body: schema,
    gathersFaults: runs,
    run: (ctx: Context, { body }: Input<Type.Static<Body>>) => run(ctx, resolve(body)),
  }
  try {
    const body = await checkNested(checkable, ctx, given)
    return { faults: [], run: () => run(ctx, resolve(body)) }
  } catch (error) {
    return { faults: faultsIn(error), run: async () => null }
  }
}

function faultsIn(error: unknown): Fault[] {
  if (error instanceof Problem && error.code === 'validation_failed') return error.faults
  throw error
}

const inBody = (faults: readonly Fault[]): Fault[] =>
  faults.map((fault) =>
    fault.pointer === undefined ? fault : { ...fault, pointer: `/body${fault.pointer}` },
  )

/** An action's body has only a reason: other faults are about the campaign itself. */
function thrownBy(op: OperationName, error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  const isOfBody = (pointer: string) => op !== 'action' || pointer === '/reason'
  return withPointerPrefix(error, (pointer) => (isOfBody(pointer) ? `/body${pointer}` : pointer))
}
