import { keyRoles, roles } from '../identity/permissions.ts'
import { processRoles } from '../process/role.ts'
import { organizationIds } from '../values/core-ids.ts'
import { isId } from '../values/ids.ts'
import { plans } from '../values/plans.ts'
import { UsageError } from './command.ts'

export function readOrganizationId(text: string): string {
  if (isId(organizationIds, text)) return text
  const hint = '"flightdeck orgs list" shows them'
  throw new UsageError(`"${text}" is not the id of an organization (org_…). ${hint}.`)
}

type Readers<Values> = { [Name in keyof Values]: () => Values[Name] }

/** Reads all values; throws one UsageError with the faults of all of them. */
export function readAll<Values extends object>(readers: Readers<Values>): Values {
  const faults: string[] = []
  const values = Object.entries<() => unknown>(readers).map(([name, readOne]) => {
    try {
      return [name, readOne()]
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      faults.push(...error.faults)
      return [name, undefined]
    }
  })
  if (faults.length > 0) throw new UsageError(...faults)
  // Safe, as each value comes from the reader of its name.
  return Object.fromEntries(values) as Values
}

export const readPlan = (text: string) => oneOf('plan', plans, text)
export const readKeyRole = (text: string) => oneOf('role', keyRoles, text)
export const readRole = (text: string) => oneOf('role', roles, text)
export const readProcessRole = (text: string) => oneOf('role', processRoles, text)

function oneOf<Choice extends string>(
  what: string,
  choices: readonly Choice[],
  text: string,
): Choice {
  const found = choices.find((choice) => choice === text)
  if (found) return found
  throw new UsageError(`"${text}" is not a ${what}: use one of ${choices.join(', ')}.`)
}
