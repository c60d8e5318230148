import { retryLater } from '../problems/problem.ts'

type Bounds = { atOnce: number; waiting: number }

export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** Runs at most so many works at once; more wait in line, and beyond that it is 503. */
export function takeTurns({ atOnce, waiting }: Bounds): Turns {
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

type Lane = { turns: Turns; users: number }

/** So many works at a time for each key, or one. A lane lives as long as somebody is in it. */
export function lanes(
  waiting: number,
  atOnce = 1,
): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const byKey = new Map<string, Lane>()

  return async (key, work) => {
    const lane = byKey.get(key) ?? { turns: takeTurns({ atOnce, waiting }), users: 0 }
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
