import type { Flightdeck, Schema } from '@flightdeckhq/sdk'
import { count } from '../../output/count.ts'
import { labelOf } from '../ownership.ts'
import type { Operation } from './operations.ts'
import type { Plan } from './plan.ts'
import { standsAlone } from './sets.ts'

export type Problem = {
  code: string
  detail: string
  errors?: readonly { pointer?: string; message: string }[]
}

export type SpendDelta = Schema<'SpendDelta'>
export type ChangeSet = Schema<'ChangeSet'>

/** A set of a plan, and what the service says of it; null where it cannot be tried yet. */
export type Tried = { set: readonly Operation[]; changeSet: ChangeSet | null }

export type Proposing = { override?: string | undefined }

/** Tries the sets out; nothing is stored. */
export async function tryOut(
  client: Flightdeck,
  plan: Plan,
  { override }: Proposing,
): Promise<Tried[]> {
  const tried: Tried[] = []
  for (const [at, set] of plan.sets.entries()) {
    const isAlone = standsAlone(set, plan.sets.slice(0, at).flat())
    const asked = { body: bodyOf(plan, at), override, stores: false }
    const changeSet = isAlone ? await propose(client, asked) : null
    tried.push({ set, changeSet })
  }
  return tried
}

type Body = Readonly<Record<string, unknown>>

/** What is sent to propose a set of a plan. */
export function bodyOf({ project, sets }: Plan, at: number, reference = labelOf(project)): Body {
  const set = sets[at] ?? []
  const part = sets.length > 1 ? `, part ${at + 1} of ${sets.length}` : ''
  return {
    title: `Project ${project}: ${count(set.length, 'operation')}${part}`,
    source: { kind: 'cli', reference },
    operations: set.map(({ sent }) => sent),
  }
}

type Asked = Proposing & { body: Body; stores: boolean }

export const propose = (client: Flightdeck, { body, override, stores }: Asked) =>
  client.request<ChangeSet>('POST', '/change_sets', {
    query: stores ? {} : { validate_only: true },
    body,
    ...(override !== undefined && { overrideReason: override }),
  })
