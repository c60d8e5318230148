import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './programs.ts'

export const rulesFile = join(import.meta.dirname, '../../../../deploy/prometheus-rules.yaml')

/** Values of each series, as promtool notes them; the first is at time 0. */
export type Samples = Readonly<Record<string, string>>

type Expected = {
  samples: Samples
  /** Between two values: `15s`. */
  interval: string
  /** Whether an alert fires at a time. */
  alerts: readonly { alert: string; at: string; fires: boolean }[]
}

/** Describes the alerts that promtool finds other than expected; empty if there are none. */
export function unexpectedAlerts({ samples, interval, alerts }: Expected): string {
  const test = {
    interval,
    input_series: Object.entries(samples).map(([series, values]) => ({ series, values })),
    promql_expr_test: alerts.map(({ alert, at, fires }) => ({
      expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
      eval_time: at,
      exp_samples: fires ? [{ labels: '{}', value: 1 }] : [],
    })),
  }
  const file = { rule_files: [rulesFile], evaluation_interval: interval, tests: [test] }
  const dir = mkdtempSync(join(tmpdir(), 'flightdeck-rules-'))
  const path = join(dir, 'rules.test.json')
  writeFileSync(path, JSON.stringify(file))
  const { status, output } = runProgram('promtool', 'test', 'rules', path)
  rmSync(dir, { recursive: true })
  return status === 0 ? '' : output
}
