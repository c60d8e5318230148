import { Type } from 'typebox'
import { MemberBody } from '../features/members/schema.ts'
import { validatorOf } from '../http/request/validate.ts'
import { NewPassword } from '../schema/fields.ts'
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
