import type { RegisteredProcess } from '../../process/registry.ts'
import { buildOf } from '../../version.ts'
import { table } from '../table.ts'

/** A setting that is not what this shell would give; secrets are not shown. */
export type Difference = { name: string; running: string; here: string }

/** A running process of the service, and what it runs with other than this shell would. */
export type RunningProcess = Omit<RegisteredProcess, 'settings' | 'known_keys' | 'sealing_key'> & {
  differences: Difference[]
}

/** For people. */
export const runningText = (all: readonly RunningProcess[]): string =>
  all.map(processText).join('\n\n')

const processText = ({ differences, ...process }: RunningProcess): string => {
  const { role, url, host, pid, started_at } = process
  const head = `${url} (${role}, pid ${pid} on ${host}, version ${buildOf(process)}, since ${started_at})`
  if (differences.length === 0) return `${head}\nAll settings are those of this shell.`
  const rows = differences.map(({ name, running, here }) => [name, running, here])
  return `${head}\n${table(['SETTING', 'RUNNING', 'THIS SHELL'], rows)}`
}
