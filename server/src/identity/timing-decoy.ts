import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

/** How long one kind of work takes lately in this process, for what must seem to do it too. */
export type TimingDecoy = {
  timed<T>(work: () => Promise<T>): Promise<T>
  /** Takes as long as one of the latest did: by chance, so that the spread is alike too. */
  simulate(): Promise<void>
}

const sampleSize = 32

/** Until a first work was timed, it is taken to need `guessMs`. */
export function timingDecoy(guessMs: number): TimingDecoy {
  const latestMs: number[] = []

  return {
    async timed(work) {
      const begun = performance.now()
      const result = await work()
      latestMs.push(performance.now() - begun)
      if (latestMs.length > sampleSize) latestMs.shift()
      return result
    },
    async simulate() {
      const ms = latestMs.length === 0 ? guessMs : latestMs[randomInt(latestMs.length)]
      await setTimeout(ms)
    },
  }
}
