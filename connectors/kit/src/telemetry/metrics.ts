/** Counters and gauges in the text format of Prometheus. */

type Labels = Readonly<Record<string, string>>

export type Metrics = {
  count(name: string, labels?: Labels): void
  set(name: string, value: number, labels?: Labels): void
  text(): string
}

const help: Readonly<Record<string, string>> = {
  reports_total: 'Reports sent to the service, by outcome.',
  results_total: 'Days of results sent to the service, by outcome.',
  network_requests_total: 'Requests sent to the network, by method.',
  network_faults_total: 'Faults of the network, by kind.',
  last_poll_timestamp_seconds: 'When the account was last read as a whole.',
  lease_held: 'Whether the accounts are held.',
}

const escaped = (value: string) =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

export function openMetrics(): Metrics {
  const values = new Map<string, Map<string, number>>()
  const seriesOf = (name: string, labels: Labels) => {
    const series = values.get(name) ?? new Map<string, number>()
    values.set(name, series)
    const text = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`)
    return { series, key: text.length === 0 ? '' : `{${text.join(',')}}` }
  }
  return {
    count(name, labels = {}) {
      const { series, key } = seriesOf(name, labels)
      series.set(key, (series.get(key) ?? 0) + 1)
    },
    set(name, value, labels = {}) {
      const { series, key } = seriesOf(name, labels)
      series.set(key, value)
    },
    text: () =>
      [...values]
        .flatMap(([name, series]) => {
          const full = `flightdeck_connect_${name}`
          const type = name.endsWith('_total') ? 'counter' : 'gauge'
          const lines = [...series].map(([key, value]) => `${full}${key} ${value}`)
          return [`# HELP ${full} ${help[name] ?? name}`, `# TYPE ${full} ${type}`, ...lines]
        })
        .map((line) => `${line}\n`)
        .join(''),
  }
}
