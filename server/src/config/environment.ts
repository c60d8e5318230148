import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { errorCode } from '../values/errors.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The prefix of every setting's variable. */
export const prefix = 'FLIGHTDECK_'

/** The process environment over a `.env` file in the working directory. */
export function environment(): Environment {
  const all = { ...dotEnv(), ...process.env }
  // The OpenTelemetry library reads its own settings from process.env.
  const ofTraces = Object.entries(all).filter(([name]) => name.startsWith('OTEL_'))
  Object.assign(process.env, Object.fromEntries(ofTraces))
  return all
}

function dotEnv(): Environment {
  try {
    return parseEnv(readFileSync('.env', 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {}
    throw error
  }
}
