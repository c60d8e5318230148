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
