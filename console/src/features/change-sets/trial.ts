import { FlightdeckError } from '@flightdeckhq/sdk'
import { useQuery } from '@tanstack/react-query'
import type { Schema } from '../../flightdeck.ts'
import { detailOf, faultText } from '../../ui/problem.ts'
import { trialQuery } from './queries.ts'
import { operationsOf, type TrayEdit } from './tray.ts'

/** Why edits fail, in words, by the object of the edit. */
export type EditFaults = ReadonlyMap<string, readonly string[]>

type Edits = readonly TrayEdit[]
type Found = { index: number; text: string }

export const noFaults: EditFaults = new Map()

/** What the edits would do, and which of them fail. */
export function useTrial(edits: Edits) {
  const { data: trial, error, isPlaceholderData } = useQuery(trialQuery(edits))
  // Positions are those of the edits that were tried.
  const failures = isPlaceholderData ? [] : trial?.failures
  const faults = error ? faultsOfRefusal(edits, error) : faultsOfTrial(edits, failures)
  return { trial, error, faults }
}

const faultsOfTrial = (edits: Edits, failures: readonly Schema<'ChangeSetFailure'>[] = []) =>
  faultsIn(
    edits,
    failures.map(({ index, problem }) => ({ index, text: detailOf(problem) })),
  )

export const faultsOfRefusal = (edits: Edits, error: unknown): EditFaults =>
  faultsIn(edits, foundIn(error))

/** `/operations/3/body/name`: the operation, and what is wrong with it. */
const foundIn = (error: unknown): Found[] =>
  (error instanceof FlightdeckError ? error.errors : []).flatMap(
    ({ pointer = '', message = '' }) =>
      isOfOperation(pointer)
        ? [{ index: Number(pointer.split('/')[2]), text: faultText(pointer, message) }]
        : [],
  )

const isOfOperation = (pointer: string): boolean => pointer.startsWith('/operations/')

function faultsIn(edits: Edits, found: readonly Found[]): EditFaults {
  if (found.length === 0) return noFaults
  const objects = edits.flatMap((edit) => operationsOf([edit]).map(() => edit.id))
  const faults = new Map<string, string[]>()
  for (const { index, text } of found) {
    const id = objects[index]
    if (id !== undefined) faults.set(id, [...(faults.get(id) ?? []), text])
  }
  return faults
}

/** The refusal without what stands at the edits already. */
export function withoutFaultsOfEdits(error: unknown): unknown {
  if (!(error instanceof FlightdeckError) || foundIn(error).length === 0) return error
  const errors = error.errors.filter(({ pointer = '' }) => !isOfOperation(pointer))
  return new FlightdeckError({
    ...error.problem,
    detail: 'Look at the edits that are marked.',
    errors,
  })
}
