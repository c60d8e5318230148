import { allKinds } from '../kinds.ts'

/** Forms for new objects, which open from anywhere. */
export const creations = allKinds.flatMap(({ create }) => create ?? [])
