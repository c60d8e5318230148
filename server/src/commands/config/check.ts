import { readConfig, secretSettings, settings } from '../../config/config.ts'
import { ConfigError } from '../../config/config-error.ts'
import { type Environment, environment, prefix } from '../../config/environment.ts'
import { fileNameOf } from '../../config/secret-files.ts'
import { keysOf } from '../../values/objects.ts'
import { action } from '../command.ts'
import { table } from '../table.ts'
import { type RunningProcess, runningText } from './running-settings.ts'

type ListedSetting = { name: string; value: string; is_default: boolean; about: string }

type Result = {
  valid: boolean
  settings: ListedSetting[]
  faults: string[]
  running?: RunningProcess[]
}

export const configCheck = action({
  async run({ flag }): Promise<Result> {
    const env = environment()
    const faults = faultsOf(env)
    const checked = { valid: faults.length === 0, settings: settingsIn(env), faults }
    if (!flag('running') || faults.length > 0) return checked
    const { askRunning } = await import('./ask-running.ts')
    return { ...checked, running: await askRunning(env) }
  },
  show: ({ settings, faults, running }) =>
    running ? runningText(running) : [tableOf(settings), '', ...outcome(faults)].join('\n'),
  exitCode: ({ valid, running = [] }) =>
    valid && running.every(({ differences }) => differences.length === 0) ? 0 : 1,
})

const outcome = (faults: readonly string[]) =>
  faults.length === 0 ? ['All settings are valid.'] : faults

const tableOf = (settings: readonly ListedSetting[]) =>
  table(
    ['SETTING', 'VALUE', ''],
    settings.map(({ name, value, is_default, about }) => [
      name,
      value + (is_default && value !== '' ? ' (default)' : ''),
      about,
    ]),
  )

function faultsOf(env: Environment): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

const settingsIn = (env: Environment): ListedSetting[] =>
  keysOf(settings).map((name) => {
    const { fallback, about } = settings[name]
    const given = env[prefix + name]?.trim()
    if (secretSettings.includes(name))
      return { name: prefix + name, about, ...shownSecret(env, name) }
    return { name: prefix + name, value: given || fallback, is_default: !given, about }
  })

function shownSecret(env: Environment, name: string): Pick<ListedSetting, 'value' | 'is_default'> {
  if (env[prefix + fileNameOf(name)]?.trim()) return { value: '[set by a file]', is_default: false }
  const isGiven = Boolean(env[prefix + name]?.trim())
  return { value: isGiven ? '[set]' : '[not set]', is_default: !isGiven }
}
