import type { TSchema, Type } from 'typebox'
import { isSqlError } from '../../database/driver/sql-error.ts'
import type { BareContext, Context } from '../../kernel/context.ts'
import type { Fault } from '../../problems/fault.ts'
import { invalid, maxFaults, Problem } from '../../problems/problem.ts'
import { NoBody } from '../../schema/fields.ts'
import { patchOf } from '../../schema/merge-patch.ts'
import type { Checkable, Input } from '../endpoint.ts'
import { pointerToken } from './pointers.ts'
import { type Validator, validatorOf } from './validate.ts'

/** Validates a body against its schema; throws with every fault that can be found. */
export async function checkBody<Body extends TSchema>(
  checkable: Checkable<Body>,
  ctx: Context | BareContext,
  input: Input<unknown>,
): Promise<Type.Static<Body>> {
  const faults = validatorFor(bodyFor(checkable, ctx))(input.body)
  if (faults.length > 0) throw invalid(await allFaults(checkable, ctx, { ...input, faults }))
  // Its schema has just accepted it.
  return input.body as Type.Static<Body>
}

/** A context for a merge patch, whose result is checked against the body that it changes. */
export const mergingInto = <Ctx extends Context | BareContext>(
  ctx: Ctx,
  { body = NoBody }: Pick<Checkable, 'body'>,
): Ctx => ({ ...ctx, checkMerged: validatorFor(body) })

function bodyFor({ body = NoBody }: Checkable, ctx: Context | BareContext): TSchema {
  const isMerged = 'checkMerged' in ctx && ctx.checkMerged !== null
  return isMerged ? patchOf(body) : body
}

const validators = new WeakMap<TSchema, Validator>()

function validatorFor(schema: TSchema): Validator {
  const known = validators.get(schema)
  if (known) return known
  const made = validatorOf(schema)
  validators.set(schema, made)
  return made
}

/**
 * Runs the verb without the invalid fields, to find its faults too. It cannot commit: its context
 * carries the faults found so far.
 */
async function allFaults(
  endpoint: Checkable,
  ctx: Context | BareContext,
  { faults, ...input }: Input<unknown> & { faults: Fault[] },
): Promise<Fault[]> {
  if (!endpoint.gathersFaults || faults.length >= maxFaults) return faults
  const isKnown = (fault: Fault) =>
    faults.some((known) => isWithin(fault, known) || isWithin(known, fault))
  try {
    const body = withoutFaulty(input.body, faults)
    await endpoint.run({ ...ctx, faults }, { ...input, body })
    return faults
  } catch (error) {
    // It aborts the transaction, which other operations may share.
    if (isSqlError(error)) throw error
    const more = error instanceof Problem && error.code === 'validation_failed' ? error.faults : []
    return [...faults, ...more.filter((fault) => !isKnown(fault))]
  }
}

const isWithin = (inner: Fault, outer: Fault) => `${inner.pointer}/`.startsWith(`${outer.pointer}/`)

const withoutFaulty = (body: unknown, faults: Fault[]): object =>
  isRecord(body)
    ? withoutPaths(
        body,
        faults.map(({ pointer = '' }) => pointer.split('/').slice(1)),
      )
    : {}

/** Removes the fields at these paths; a path into a list removes the whole list. */
function withoutPaths(record: object, paths: string[][]): object {
  const kept = Object.entries(record).flatMap(([field, value]) => {
    const inner = paths
      .filter(([first]) => first === pointerToken(field))
      .map((path) => path.slice(1))
    if (inner.length === 0) return [[field, value]]
    const isPartly = isRecord(value) && inner.every((path) => path.length > 0)
    return isPartly ? [[field, withoutPaths(value, inner)]] : []
  })
  return Object.fromEntries(kept)
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
