import { retryLater } from '../problems/problem.ts'

type Bounds = { atOnce: number; waiting: number }

export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/** Runs up to `atOnce` tasks, queues up to `waiting` more, and refuses the rest with 503. */
export function semaphore({ atOnce, waiting }: Bounds): Semaphore {
  const line: (() => void)[] = []
  let running = 0

  /** Hands the slot to the next in line, so that no newcomer can take it in between. */
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

type KeyedSemaphore = { run: Semaphore; users: number }

/** A semaphore for each key, by default for one task at a time; removed when its last user leaves. */
export function keyedSemaphore(
  waiting: number,
  atOnce = 1,
): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const byKey = new Map<string, KeyedSemaphore>()

  return async (key, work) => {
    const slots = byKey.get(key) ?? { run: semaphore({ atOnce, waiting }), users: 0 }
    byKey.set(key, slots)
    slots.users += 1
    try {
      return await slots.run(work)
    } finally {
      slots.users -= 1
      if (slots.users === 0) byKey.delete(key)
    }
  }
}
