/** Deliveries recorded since a read began, which the read may not show. */
export type Since = {
  /** Whether a delivery read as due is in flight or was recorded since; it is then read again. */
  alreadyHandled(deliveryId: string): boolean
  isQuiet(): boolean
  end(): void
}

/** The deliveries of one endpoint that this process knows more of than the database. */
export type HandledDeliveries = {
  /** In flight or not yet recorded: the database still shows these as due. */
  readonly busyCount: number
  begin(deliveryId: string): void
  /** The database knows as much now, or the delivery is to be attempted again. */
  end(deliveryId: string): void
  /** Starts tracking what is recorded from now on; called before each read of due deliveries. */
  since(): Since
  /** Looks again for deliveries that a read has skipped: they may have been requested once more. */
  recheckSkipped(): void
}

/** `lookAgain`: a read has skipped a delivery that may still be due. */
export function handledDeliveries(lookAgain: () => void): HandledDeliveries {
  const busy = new Set<string>()
  /** For each read in use, the deliveries recorded since it began. */
  const recordedSince = new Set<Set<string>>()
  let hasSkipped = false

  function since(): Since {
    const recorded = new Set<string>()
    recordedSince.add(recorded)
    return {
      alreadyHandled: (id) => {
        if (busy.has(id)) hasSkipped = true
        else if (recorded.has(id)) lookAgain()
        else return false
        return true
      },
      isQuiet: () => busy.size === 0 && recorded.size === 0,
      end: () => recordedSince.delete(recorded),
    }
  }

  return {
    get busyCount() {
      return busy.size
    },
    begin: (id) => busy.add(id),
    end: (id) => {
      busy.delete(id)
      for (const each of recordedSince) each.add(id)
    },
    since,
    recheckSkipped: () => {
      if (hasSkipped) lookAgain()
      hasSkipped = false
    },
  }
}
