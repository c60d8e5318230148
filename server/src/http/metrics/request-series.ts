/** Upper bounds in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** The requests of one route and method. */
type Series = {
  readonly method: string
  readonly route: string
  readonly byStatus: Map<number, number>
  /** Requests per bucket, plus those above the last bound. */
  readonly counts: number[]
  sum: number
}

export type RequestSeries = {
  note(labels: { method: string; route: string }, status: number, seconds: number): void
  all(): Series[]
}

/**
 * Own histogram, as it runs on every request: prom-client takes 1.4 µs to look up labels, this a
 * tenth.
 */
export function requestSeries(): RequestSeries {
  const byRoute = new Map<string, Map<string, Series>>()

  function make(route: string, method: string): Series {
    const counts = Array.from({ length: buckets.length + 1 }, () => 0)
    const made = { method, route, byStatus: new Map(), counts, sum: 0 }
    const byMethod = byRoute.get(route) ?? new Map<string, Series>()
    byRoute.set(route, byMethod.set(method, made))
    return made
  }

  return {
    note: ({ method, route }, status, seconds) => {
      const series = byRoute.get(route)?.get(method) ?? make(route, method)
      let at = 0
      while (seconds > (buckets[at] ?? Number.POSITIVE_INFINITY)) at += 1
      series.counts[at] = (series.counts[at] ?? 0) + 1
      series.sum += seconds
      series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1)
    },
    all: () => [...byRoute.values()].flatMap((byMethod) => [...byMethod.values()]),
  }
}

type Described = { name: string; help: string }

/**
 * The histogram of all series in the Prometheus text format. Methods and routes need no escaping.
 */
export function histogramText({ name, help }: Described, all: readonly Series[]): string {
  const lines = all.flatMap(({ method, route, counts, sum }) => {
    const labels = `method="${method}",route="${route}"`
    let below = 0
    const ofBuckets = counts.map((count, at) => {
      below += count
      return `${name}_bucket{${labels},le="${buckets[at] ?? '+Inf'}"} ${below}`
    })
    return [...ofBuckets, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${below}`]
  })
  return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines, ''].join('\n')
}
