import { differencesAt, type Revertible, readAsOf } from '../../history/as-of.ts'
import type { Context } from '../../kernel/context.ts'
import { keysOf } from '../../values/objects.ts'
import { getProfile, updateProfile } from './profiles.ts'
import { type Profile, ProfileChanges } from './schema.ts'

export const profileHistory: Revertible<Profile> = {
  type: 'profile',
  table: 'profiles',
  fields: keysOf(ProfileChanges.properties).filter((field) => field !== 'status'),
  get: getProfile,
  // The id says more than the name, which may have changed since.
  update: (ctx, id, changes) => {
    const { client: _, ...others } = changes
    return updateProfile(ctx, id, 'client_id' in changes ? others : changes)
  },
}

/** The profile at that time, with the current campaign counts. */
export async function profileAt(
  ctx: Context,
  id: string,
  asOf: string | undefined,
): Promise<Profile> {
  const time = readAsOf(ctx, asOf)
  const present = await getProfile(ctx, id)
  if (time === null) return present
  return { ...present, ...(await differencesAt<Profile>(ctx, profileHistory, { present, time })) }
}
