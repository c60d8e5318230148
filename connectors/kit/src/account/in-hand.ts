import type { WorkItem } from '../contract/plan.ts'

/** Items come again until they are reported: those that a lane has already are left out. */
export type InHand = {
  /** The items of the account that are not in hand yet, which they are from now on. */
  take(items: readonly WorkItem[]): WorkItem[]
  letGo(items: readonly WorkItem[]): void
  /** Lets them go once the service may have recovered. */
  letGoLater(items: readonly WorkItem[]): void
}

const restMs = 5_000

export function openHand(profileId: string): InHand {
  const inHand = new Set<string>()
  const letGo: InHand['letGo'] = (items) => {
    for (const { deployment_id } of items) inHand.delete(deployment_id)
  }
  return {
    take(items) {
      const fresh = items.filter(
        (item) => item.profile_id === profileId && !inHand.has(item.deployment_id),
      )
      for (const { deployment_id } of fresh) inHand.add(deployment_id)
      return fresh
    },
    letGo,
    letGoLater: (items) => void setTimeout(() => letGo(items), restMs).unref(),
  }
}
