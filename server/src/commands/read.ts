import { Type } from 'typebox'
import { MemberBody } from '../features/organizations/schema.ts'
import { validatorOf } from '../http/validate.ts'
import { roles } from '../kernel/permissions.ts'
import { plans } from '../kernel/plans.ts'
import { CommandError, UsageError } from './command.ts'

// What the command line takes is held to the same schemas as the API.
const { email, name } = MemberBody.properties
const faultsOf = {
  email: validatorOf(Type.Object({ text: email })),
  name: validatorOf(Type.Object({ text: name })),
}

export const readEmail = (text: string): string => read('email', text)
export const readName = (text: string): string => read('name', text)

function read(kind: keyof typeof faultsOf, text: string): string {
  const holder = { text }
  const [fault] = faultsOf[kind](holder)
  if (fault) throw new CommandError(`"${text}" as ${kind}: ${fault.message}.`)
  return holder.text
}

export const readPlan = (text: string) => oneOf('plan', plans, text)
export const readRole = (text: string) => oneOf('role', roles, text)

function oneOf<Choice extends string>(
  what: string,
  choices: readonly Choice[],
  text: string,
): Choice {
  const found = choices.find((choice) => choice === text)
  if (found) return found
  throw new UsageError(`"${text}" is not a ${what}: there are ${choices.join(', ')}.`)
}
