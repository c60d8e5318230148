import { setImmediate } from 'node:timers/promises'
import type { TSchema } from 'typebox'
import { checkNested } from '../../../http/endpoint.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Fault } from '../../../problems/fault.ts'
import { invalid, maxFaults, Problem } from '../../../problems/problem.ts'
import { memberOf, recordOf } from '../../../values/objects.ts'
import { actions } from '../../campaigns/lifecycle/transitions.ts'
import { refFaults } from './refs.ts'
import {
  AnyOperation,
  type OperationName,
  operationNames,
  type ResourceName,
  resources,
  shellOf,
} from './schema.ts'

/** An operation of a change set, as it was sent. */
export type Operation = {
  readonly index: number
  readonly resource: ResourceName
  readonly op: OperationName
  readonly action: string | null
  readonly ref: string | null
  /** An id, or the `@<ref>` of an earlier creation; null for a creation. */
  readonly target: string | null
  readonly version: number | null
  /** Undefined where none was sent. */
  readonly body: unknown
}

/** How many requests a number of operations counts as. */
export const costOf = (operations: number): number => Math.max(1, Math.ceil(operations / 10))

const shells = recordOf(operationNames, shellOf)

/**
 * The operations of a request; throws 422 with every fault of those that cannot be tried. What a trial
 * finds, as in their bodies, is no fault of the request.
 */
export async function readOperations(
  ctx: Context,
  given: readonly unknown[],
): Promise<Operation[]> {
  const faults: Fault[] = []
  const operations: Operation[] = []
  for (const [index, each] of given.entries()) {
    // Yields to other requests.
    if (index % 100 === 99) await setImmediate()
    const found = await faultsIn(ctx, each)
    faults.push(...found.map((one) => ({ ...one, pointer: `/operations/${index}${one.pointer}` })))
    if (faults.length >= maxFaults) break
    if (found.length === 0) operations.push(operationOf(each, index))
  }
  if (faults.length < maxFaults) faults.push(...refFaults(operations))
  if (faults.length > 0) throw invalid(faults)
  return operations
}

async function faultsIn(ctx: Context, given: unknown): Promise<Fault[]> {
  const checkShape = (body: TSchema) => checkNested({ body, run: nothing }, ctx, given)
  try {
    await checkShape(AnyOperation)
    const name = operationNames.find((each) => each === memberOf(given, 'op'))
    if (name) await checkShape(shells[name])
    return []
  } catch (error) {
    if (error instanceof Problem && error.code === 'validation_failed') return error.faults
    throw error
  }
}

const nothing = async () => {}

/** Reads an operation whose schema has just accepted it. */
function operationOf(given: unknown, index: number): Operation {
  const textIn = (name: string) => {
    const value = memberOf(given, name)
    return typeof value === 'string' ? value : null
  }
  const version = memberOf(given, 'version')
  return {
    index,
    resource: resources.find((each) => each === textIn('resource')) ?? 'campaign',
    op: operationNames.find((each) => each === textIn('op')) ?? 'update',
    action: actions.find((each) => each === textIn('action')) ?? null,
    ref: textIn('ref'),
    target: textIn('id'),
    version: typeof version === 'number' ? version : null,
    body: memberOf(given, 'body'),
  }
}

/** In the form that bulk operations have. */
export const asSent = ({ op, action, body }: Operation, id: string | null): object => ({
  op,
  ...(id !== null && { id }),
  ...(action !== null && { action }),
  ...(body !== undefined && { body }),
})
