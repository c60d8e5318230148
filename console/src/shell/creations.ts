import { allKinds } from '../kinds.ts'

/** What can be begun from anywhere. */
export const creations = allKinds.flatMap(({ create }) => create ?? [])
