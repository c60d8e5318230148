import type { CheckItem, WorkItem } from '../contract/plan.ts'

/** Items come again until they are reported: those that a lane has already are left out. */
export type InHand<Item> = {
  /** The items of the account that are not in hand yet, which they are from now on. */
  take(items: readonly Item[]): Item[]
  letGo(items: readonly Item[]): void
  /** Lets them go once the service or the network may have recovered. */
  letGoLater(items: readonly Item[]): void
}

type Hand<Item> = { profileId: string; keyOf: (item: Item) => string; restMs: number }

function openHand<Item extends { profile_id: string }>({
  profileId,
  keyOf,
  restMs,
}: Hand<Item>): InHand<Item> {
  const inHand = new Set<string>()
  const letGo: InHand<Item>['letGo'] = (items) => {
    for (const item of items) inHand.delete(keyOf(item))
  }
  return {
    take(items) {
      const fresh = items.filter(
        (item) => item.profile_id === profileId && !inHand.has(keyOf(item)),
      )
      for (const item of fresh) inHand.add(keyOf(item))
      return fresh
    },
    letGo,
    letGoLater: (items) => void setTimeout(() => letGo(items), restMs).unref(),
  }
}

/** A check that cannot be made waits longer than work: it spends the network's quota. */
const [restMs, judgedAgainMs] = [5_000, 60_000]

/** The hands of an account: for work, and for what is to be judged. */
export const handsOf = (profileId: string): [InHand<WorkItem>, InHand<CheckItem>] => [
  openHand({ profileId, keyOf: ({ deployment_id }) => deployment_id, restMs }),
  openHand({
    ...{ profileId, restMs: judgedAgainMs },
    keyOf: ({ change_set_id, index, tried_at }) => `${change_set_id} ${index} ${tried_at}`,
  }),
]
