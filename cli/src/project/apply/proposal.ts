import { createHash } from 'node:crypto'
import type { Flightdeck } from '@flightdeckhq/sdk'
import { Moved } from '../../faults.ts'
import { labelOf } from '../ownership.ts'
import type { Plan } from '../plan/plan.ts'
import { bodyOf, type ChangeSet, type Proposing, propose } from '../plan/trial.ts'
import { type Allowable, allowable } from '../show/report.ts'

/** What a change set of a project says of itself: which operations it has, and what it needs. */
function referenceOf({ project, sets }: Plan, at: number, needs: readonly Allowable[]): string {
  const operations = (sets[at] ?? []).map(({ sent }) => sent)
  const digest = createHash('sha256').update(JSON.stringify(operations)).digest('base64url')
  return [labelOf(project), digest.slice(0, 22), ...needs].join(' ')
}

/** Which `--allow` applying a stored change set needs, as it says itself. */
export function needsOf({ source }: ChangeSet): Allowable[] {
  const words = (source?.reference ?? '').split(' ')
  return allowable.filter((each) => words.slice(2).includes(each))
}

/** The project that a stored change set is of, as it says itself. */
export function projectOf({ source }: ChangeSet): string | null {
  const [label = ''] = (source?.reference ?? '').split(' ')
  return label.startsWith(labelOf('')) ? label.slice(labelOf('').length) : null
}

type Storing = Proposing & { at: number; needs: readonly Allowable[] }

/**
 * The stored change set of a part of a plan: the one that an earlier call left, where it has the same
 * operations on the same versions; else a new one.
 */
export async function stored(
  client: Flightdeck,
  plan: Plan,
  { at, needs, override }: Storing,
): Promise<ChangeSet> {
  const reference = referenceOf(plan, at, needs)
  const former = await leftBefore(client, reference)
  if (former) return former
  const body = bodyOf(plan, at, reference)
  const made = await propose(client, { body, override, stores: true })
  if (made.applicable) return made
  // It could be applied a moment ago, when it was tried.
  await client.request('POST', `/change_sets/${made.id}/cancel`).catch(() => {})
  throw new Moved('Something has moved while the change set was made: run it again.')
}

/** Of the caller's own alone: anyone may give the same reference. */
async function leftBefore(client: Flightdeck, reference: string): Promise<ChangeSet | undefined> {
  const { user, api_key } = await client.auth.me()
  const created_by = user?.id ?? api_key?.id ?? ''
  const left = { status: ['open', 'approved'], source: ['cli'], created_by, limit: 100 } as const
  for await (const each of client.changeSets.list(left)) {
    const isSame = each.source?.reference === reference
    if (isSame && each.applicable && each.stale.length === 0) return each
  }
  return undefined
}
