import { Type } from 'typebox'
import { MemberBody } from '../features/members/schema.ts'
import { validatorOf } from '../http/request/validate.ts'
import { roles } from '../identity/permissions.ts'
import { processRoles } from '../process/role.ts'
import { NewPassword } from '../schema/fields.ts'
import { isId } from '../values/ids.ts'
import { plans } from '../values/plans.ts'
import { UsageError } from './command.ts'

// The command line uses the same schemas as the API.
const { email, name } = MemberBody.properties
const faultsOf = {
  email: validatorOf(Type.Object({ text: email })),
  name: validatorOf(Type.Object({ text: name })),
  password: validatorOf(Type.Object({ text: NewPassword })),
}

export const readEmail = (text: string): string => read('email', text)
export const readName = (text: string): string => read('name', text)
export const readNewPassword = (text: string): string => read('password', text)

function read(kind: keyof typeof faultsOf, text: string): string {
  const holder = { text }
  const faults = faultsOf[kind](holder)
  // Never prints a password.
  const what = kind === 'password' ? 'The password' : `"${text}" as ${kind}`
  if (faults.length > 0) throw new UsageError(...faults.map((each) => `${what}: ${each.message}.`))
  return holder.text
}

export function readOrganizationId(text: string): string {
  if (isId('organization', text)) return text
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
