import type { Feature } from '../http/endpoint.ts'
import type { Reactions } from '../kernel/context.ts'
import { auth } from './auth/routes.ts'
import { campaigns } from './campaigns/routes.ts'

/** The product's table of contents. */
export const features: readonly Feature[] = [auth, campaigns]

/** What features do when another has changed something, by action. */
export function allReactions(): Reactions {
  const pairs = features.flatMap(({ reactions = {} }) => Object.entries(reactions))
  const grouped = Map.groupBy(pairs, ([action]) => action)
  return Object.fromEntries(
    [...grouped].map(([action, group]) => [action, group.map(([, reaction]) => reaction)]),
  )
}
