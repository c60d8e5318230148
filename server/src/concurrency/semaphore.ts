import { retryLater } from '../problems/problem.ts'

type Bounds = { atOnce: number; waiting: number }

export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/** Runs at most so many works at once; more wait in line, and beyond that it is 503. */
export function semaphore({ atOnce, waiting }: Bounds): Semaphore {
  const line: (() => void)[] = []
  let running = 0

  /** The turn goes straight to who is next: nobody who comes meanwhile finds it free. */
  const leave = () => {
    const next = line.shift()
    if (next) next()
    else running -= 1
  }

  return async (work) => {
    if (running >= atOnce && line.length >= waiting) throw retryLater('overloaded')
    if (running < atOnce) running += 1
    else await new Promise<void>((resolve) => line.push(resolve))
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

type KeyedSemaphore = { turns: Semaphore; users: number }

/** So many works at a time for each key, or one. A lane lives as long as somebody is in it. */
export function keyedSemaphore(
  waiting: number,
  atOnce = 1,
): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const byKey = new Map<string, KeyedSemaphore>()

  return async (key, work) => {
    const lane = byKey.get(key) ?? { turns: semaphore({ atOnce, waiting }), users: 0 }
    byKey.set(key, lane)
    lane.users += 1
    try {
      return await lane.turns(work)
    } finally {
      lane.users -= 1
      if (lane.users === 0) byKey.delete(key)
    }
  }
}
