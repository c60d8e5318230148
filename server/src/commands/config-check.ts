import {
  ConfigError,
  environment,
  readConfig,
  type SettingName,
  secretSettings,
  settings,
} from '../config/config.ts'
import { command } from './command.ts'
import { table } from './table.ts'

type Setting = { name: string; value: string; is_default: boolean; about: string }

export const configCheck = command({
  usage: 'config check',
  summary: 'Show all settings and any errors in them',
  async run() {
    const env = environment()
    const faults = faultsOf(env)
    return { valid: faults.length === 0, settings: settingsIn(env), faults }
  },
  show: ({ settings, faults }) =>
    [
      table(
        ['SETTING', 'VALUE', ''],
        settings.map(({ name, value, is_default, about }) => [
          name,
          value + (is_default && value !== '' ? ' (default)' : ''),
          about,
        ]),
      ),
      '',
      ...(faults.length === 0 ? ['All settings are valid.'] : faults),
    ].join('\n'),
  exitCode: ({ valid }) => (valid ? 0 : 1),
})

type Environment = ReturnType<typeof environment>

function faultsOf(env: Environment): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

const settingsIn = (env: Environment): Setting[] =>
  Object.entries(settings).map(([name, { fallback, about }]) => {
    const given = env[`FLIGHTDECK_${name}`]?.trim()
    return {
      name: `FLIGHTDECK_${name}`,
      value: isSecret(name) ? (given ? '[set]' : '[not set]') : given || fallback,
      is_default: !given,
      about,
    }
  })

const isSecret = (name: string) => secretSettings.includes(name as SettingName)
