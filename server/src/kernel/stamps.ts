import type { WriteContext } from './context.ts'

/** What every stored object has of its making. */
export const firstStamps = ({ now, actor }: WriteContext) => ({
  version: 1,
  created_at: now,
  updated_at: now,
  created_by: actor.id,
  updated_by: actor.id,
})

/** What every change of a stored object leaves on it. */
export const nextStamps = ({ now, actor }: WriteContext, { version }: { version: number }) => ({
  version: version + 1,
  updated_at: now,
  updated_by: actor.id,
})
