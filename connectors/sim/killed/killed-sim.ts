import { join } from 'node:path'
import type { SimNetwork } from '../network/server.ts'
import type { KilledNetwork } from './rounds.ts'

/** The simulated network, for rounds in which its connector is killed. */

const faults = [
  { kind: 'lose_after', on: 'write', rate: 0.1 },
  { kind: 'lose_before', on: 'write', rate: 0.1 },
  { kind: 'slow', rate: 0.3, ms: 30 },
] as const

export function killedSim(network: SimNetwork, accountRef: string): KilledNetwork {
  const { url, control, counts } = network
  const campaigns = () => control.campaigns(accountRef)
  return {
    url,
    program: join(import.meta.dirname, 'connector.ts'),
    settings: {},
    asked: () => [...counts.values()].reduce((all, each) => all + each, 0),
    disturb: (isOn) => control.setFaults(isOn ? faults : []),
    written: () =>
      campaigns()
        .flatMap(({ id, versions }) => versions.map((version) => ({ id, ...version })))
        .map(({ id, at, revision, values }) => ({
          ...{ id, at, revision, isEnabled: values?.status === 'ENABLED' },
          mark: values?.labels.find((label) => label.startsWith('fd:'))?.slice(3) ?? '',
          daily: values?.daily_budget_minor ?? 0,
        })),
    marks: () => campaigns().map(({ versions }) => versions.at(-1)?.values?.labels.join() ?? ''),
  }
}
