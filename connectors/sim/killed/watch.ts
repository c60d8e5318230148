/** Watches what a network is made to spend, beside what was wanted at that time. */

type Wanted = { run: 'enabled' | 'paused'; daily: number }

/** A campaign as it was written; `revision` counts its writes up, `mark` is without its prefix. */
export type Written = {
  id: string
  revision: number
  mark: string
  at: number
  isEnabled: boolean
  daily: number
}

export type Watch = {
  ids(): string[]
  wanted(id: string): Wanted
  /** Notes what is wanted while a request asks for it, and from its answer on, which the result notes. */
  want(id: string, changes: Partial<Wanted>): () => void
  /** Judges what was written since. */
  judge(): void
  findings(): { duplicates: string[]; excesses: string[] }
}

/** Settings wanted of a campaign, from when the request was sent on; its answer ends those before. */
type Asked = Wanted & { at: number; answered: number }

/** A connector may act on what was wanted this long ago: one poll interval, and a write. */
const graceMs = 2_000

type Watched = { written(): readonly Written[]; marks(): string[] }

export function openWatch({ written, marks }: Watched): Watch {
  const history = new Map<string, Asked[]>()
  const judged = new Map<string, Written>()
  const excesses: string[] = []
  const wanted = (id: string) => history.get(id)?.at(-1) ?? ({ run: 'paused', daily: 0 } as const)
  const judgeWrite = (write: Written) => {
    const { id, mark, at, isEnabled, daily } = write
    // Pausing goes before a lower budget, so it leaves the higher one.
    const isOnlyPaused = !isEnabled && daily <= (judged.get(id)?.daily ?? 0)
    judged.set(id, write)
    const all = history.get(`cmp_${mark}`) ?? []
    const past = all.filter((each, index) => {
      const end = all[index + 1]?.answered ?? Number.POSITIVE_INFINITY
      return each.at <= at && end >= at - graceMs
    })
    const most = Math.max(0, ...past.map((each) => each.daily))
    if (daily > most && !isOnlyPaused)
      excesses.push(`${id} had a budget of ${daily}, wanted was ${most}`)
    if (isEnabled && past.every(({ run }) => run === 'paused'))
      excesses.push(`${id} was enabled, and wanted paused`)
  }
  return {
    ids: () => [...history.keys()],
    wanted,
    want(id, changes) {
      const unanswered = { at: Date.now(), answered: Number.POSITIVE_INFINITY }
      const asked = { ...wanted(id), ...changes, ...unanswered }
      history.set(id, [...(history.get(id) ?? []), asked])
      return () => {
        asked.answered = Date.now()
      }
    },
    judge() {
      for (const each of written())
        if (each.revision > (judged.get(each.id)?.revision ?? 0)) judgeWrite(each)
    },
    findings() {
      const all = marks()
      return { duplicates: all.filter((mark, at) => all.indexOf(mark) !== at), excesses }
    },
  }
}
