import type { SimCampaign } from '../network/state.ts'

/** Watches what a network is made to spend, beside what was wanted at that time. */

type Wanted = { run: 'enabled' | 'paused'; daily: number }

export type Watch = {
  ids(): string[]
  wanted(id: string): Wanted
  /** Notes what is wanted from now on. */
  want(id: string, changes: Partial<Wanted>): void
  /** Judges what was written since. */
  judge(): void
  findings(): { duplicates: string[]; excesses: string[] }
}

/** A connector may act on what was wanted this long ago: one poll interval, and a write. */
const graceMs = 2_000

export function openWatch(campaigns: () => readonly SimCampaign[]): Watch {
  const history = new Map<string, (Wanted & { at: number })[]>()
  const judged = new Map<string, number>()
  const excesses: string[] = []
  const wanted = (id: string) => history.get(id)?.at(-1) ?? { run: 'paused', daily: 0, at: 0 }
  const judgeVersion = (id: string, { at, values }: SimCampaign['versions'][number]) => {
    const mark = values?.labels.find((label) => label.startsWith('fd:'))?.slice(3)
    const all = history.get(`cmp_${mark}`) ?? []
    const past = all.filter((each, index) => {
      const end = all[index + 1]?.at ?? Number.POSITIVE_INFINITY
      return each.at <= at && end >= at - graceMs
    })
    const most = Math.max(0, ...past.map(({ daily }) => daily))
    if ((values?.daily_budget_minor ?? 0) > most)
      excesses.push(`${id} had a budget of ${values?.daily_budget_minor}, wanted was ${most}`)
    if (values?.status === 'ENABLED' && past.every(({ run }) => run === 'paused'))
      excesses.push(`${id} was enabled, and wanted paused`)
  }
  return {
    ids: () => [...history.keys()],
    wanted,
    want: (id, changes) =>
      void history.set(id, [
        ...(history.get(id) ?? []),
        { ...wanted(id), ...changes, at: Date.now() },
      ]),
    judge() {
      for (const { id, versions } of campaigns()) {
        const from = judged.get(id) ?? 0
        for (const version of versions) if (version.revision > from) judgeVersion(id, version)
        judged.set(id, versions.at(-1)?.revision ?? from)
      }
    },
    findings() {
      const marks = campaigns().map(({ versions }) => versions.at(-1)?.values?.labels.join() ?? '')
      const duplicates = marks.filter((mark, at) => marks.indexOf(mark) !== at)
      return { duplicates, excesses }
    },
  }
}
