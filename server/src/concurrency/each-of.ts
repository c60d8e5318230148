type Pace = { readonly signal: AbortSignal; readonly atOnce?: number }

/** Works on each, until the signal. A failure does not stop the others: the first is thrown at the end. */
export async function eachOf<T>(
  all: readonly T[],
  { signal, atOnce = 1 }: Pace,
  work: (each: T) => Promise<unknown>,
): Promise<void> {
  const next = all.values()
  const faults: unknown[] = []
  const worker = async () => {
    for (const each of next) {
      if (signal.aborted) return
      await work(each).catch((fault: unknown) => faults.push(fault))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (faults.length > 0) throw faults[0]
}
