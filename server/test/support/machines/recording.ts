import type { Samples } from './promtool.ts'

/** A service's metrics as Prometheus would have stored them. */
export type Recording = {
  readonly count: number
  scrape(): Promise<void>
  /** All series, with the labels that Prometheus adds, and `up`. */
  samples(labels: Readonly<Record<string, string>>): Samples
}

/** Values by series; undefined where the service did not answer. */
type Scrape = ReadonlyMap<string, string> | undefined

export function recordSeries(url: string, token: string): Recording {
  const scrapes: Scrape[] = []
  return {
    get count() {
      return scrapes.length
    },
    scrape: async () => {
      const headers = { authorization: `Bearer ${token}` }
      const text = await fetch(url, { headers }).then(
        (reply) => (reply.ok ? reply.text() : undefined),
        () => undefined,
      )
      scrapes.push(text === undefined ? undefined : seriesIn(text))
    },
    samples: (labels) => {
      const names = new Set(scrapes.flatMap((scrape) => [...(scrape?.keys() ?? [])]))
      const added = Object.entries(labels).map(([name, value]) => `${name}="${value}"`)
      const up = scrapes.map((scrape) => (scrape ? '1' : '0')).join(' ')
      return {
        [labelled('up', added)]: up,
        ...Object.fromEntries(
          [...names].map((name) => [labelled(name, added), valuesOf(name, scrapes)]),
        ),
      }
    },
  }
}

/** Only our own: those of Node.js are many, and no alert on an outage needs them. */
const seriesIn = (text: string): Map<string, string> =>
  new Map(
    text
      .split('\n')
      .filter((line) => /^(flightdeck|process_start)_/.test(line) && !line.includes('_bucket'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
  )

function labelled(series: string, added: readonly string[]): string {
  const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? []
  return `${name}{${[labels, ...added].filter(Boolean).join(',')}}`
}

/** Prometheus marks a series as stale when a scrape no longer has it. */
const valuesOf = (name: string, scrapes: readonly Scrape[]): string =>
  scrapes
    .map((scrape, at) => scrape?.get(name) ?? (scrapes[at - 1]?.has(name) ? 'stale' : '_'))
    .join(' ')
