import { resolve } from 'node:path'
import { keysOf } from '../values/objects.ts'
import { type SettingName, secretSettings, settings } from './config.ts'
import { type Environment, prefix } from './environment.ts'
import { readSecretFiles } from './secret-files.ts'

/** The text of a setting as it takes effect; null for a secret that is not set. */
export type GivenSetting = { name: SettingName; text: string | null; isDefault: boolean }

/** All settings of a valid environment, secrets in clear. */
export function givenSettings(given: Environment): GivenSetting[] {
  const { env } = readSecretFiles(given, secretSettings)
  return keysOf(settings).map((name) => {
    const text = env[prefix + name]?.trim() || null
    const isSecret = secretSettings.includes(name)
    return { name, text: isSecret ? text : inEffect(name, text), isDefault: text === null }
  })
}

/** A relative path depends on where the process was started. */
function inEffect(name: SettingName, text: string | null): string {
  const effective = text ?? settings[name].fallback
  return name === 'DATA_DIR' ? resolve(effective) : effective
}

/** Whether two texts of a setting mean the same: lists may be spaced, numbers have zeros before them. */
export const meansTheSame = (name: SettingName, one: string, other: string): boolean =>
  one === other || readAs(name, one) === readAs(name, other)

function readAs(name: SettingName, text: string): string {
  try {
    return JSON.stringify(settings[name].read(text))
  } catch {
    // A newer version of the service may allow more values.
    return text
  }
}
