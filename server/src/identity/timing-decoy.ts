import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

/** Imitates the duration of recent work, to hide that none was done. */
export type TimingDecoy = {
  timed<T>(work: () => Promise<T>): Promise<T>
  /** Waits as long as a randomly chosen recent run, so that the distribution matches too. */
  simulate(): Promise<void>
}

const sampleSize = 32

/** `guessMs` is used until the first run was timed. */
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
