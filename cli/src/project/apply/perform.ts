import { type Flightdeck, FlightdeckConnectionError, FlightdeckError } from '@flightdeckhq/sdk'
import { clean } from '../../output/clean.ts'
import { count } from '../../output/count.ts'
import { reasonOf } from '../plan/drift.ts'
import type { ChangeSet } from '../plan/trial.ts'
import { projectOf } from './proposal.ts'

export type Performing = {
  client: Flightdeck
  url: string
  reason: string | undefined
  override: string | undefined
}

/** What became of a change set. */
export type Performed = { changeSet: ChangeSet; waits: boolean }

/** Applies a stored change set, or says that it waits for an approval. */
export async function perform(changeSet: ChangeSet, on: Performing): Promise<Performed> {
  if (changeSet.status === 'applied') return { changeSet, waits: false }
  if (changeSet.approval.required && changeSet.status === 'open') return waiting(changeSet, on)
  try {
    const applied = await on.client.request<ChangeSet>(
      'POST',
      `/change_sets/${changeSet.id}/apply`,
      {
        reason: reasonOf(projectOf(changeSet), on.reason),
        ...(on.override !== undefined && { overrideReason: on.override }),
      },
    )
    return { changeSet: applied, waits: false }
  } catch (error) {
    if (error instanceof FlightdeckError && error.code === 'approval_required') {
      return waiting(changeSet, on)
    }
    if (error instanceof FlightdeckConnectionError) {
      say(
        `${changeSet.id} may be applied or not: flightdeck apply ${changeSet.id} finds out, and goes on.`,
      )
    }
    if (error instanceof FlightdeckError && error.code === 'change_set_stale') sayStale(error)
    throw error
  }
}

const say = (line: string) => void process.stderr.write(`${line}\n`)

function waiting(changeSet: ChangeSet, { url }: Performing): Performed {
  const { id, approval } = changeSet
  say(
    `${id} waits for an approval by ${approval.approver_roles.join(' or ')}: ${url}/console/change-sets/${id}`,
  )
  say('Once it is approved, the same command goes on.')
  return { changeSet, waits: true }
}

type Stale = {
  resource: string
  id: string | null
  changed_by: string | null
  changed_at: string | null
}

function sayStale({ problem }: FlightdeckError): void {
  const { stale = [] } = problem as { stale?: readonly Stale[] }
  for (const { resource, id, changed_by, changed_at } of stale.slice(0, 20)) {
    const who = changed_by === null ? '' : `, changed by ${changed_by} at ${changed_at}`
    say(clean(`Moved: ${resource} ${id ?? ''}${who}`))
  }
}

/** What was applied, as "3 created, 2 changed". */
export function doneText({ id, summary }: ChangeSet): string {
  const { create, update, action, delete: removed } = summary
  const numbers = {
    created: create,
    changed: update,
    'started or stopped': action,
    deleted: removed,
  }
  const parts = Object.entries(numbers).flatMap(([verb, number]) =>
    number === 0 ? [] : [`${number} ${verb}`],
  )
  return `Applied ${id}: ${parts.join(', ') || count(0, 'change')}.`
}
