import { ScimProblem } from '../../../problems/scim-problem.ts'
import { accountOf, isEmail, maxEmailLength } from '../../../values/email.ts'
import { type PatchOperation, readPatch } from '../protocol/patch.ts'
import { attributeOf, claimOf, textOf } from '../protocol/values.ts'

/** Fields of a person that a directory sends; absent ones stay as they are. */
export type UserInput = {
  userName?: string
  active?: boolean
  externalId?: string | null
  displayName?: string | null
  givenName?: string | null
  familyName?: string | null
  /** The whole name, kept only where nothing else names the person. */
  formatted?: string | null
}

export type NewUser = UserInput & { userName: string }

/** A whole user, of POST and PUT: texts that are left out are none. */
export function readUser(body: unknown): NewUser {
  const name = attributeOf(body, 'name')
  const active = attributeOf(body, 'active')
  return {
    userName: addressOf(attributeOf(body, 'userName')),
    ...(active !== undefined && active !== null && { active: claimOf(active, 'active') }),
    externalId: textOf(attributeOf(body, 'externalId'), 'externalId'),
    displayName: textOf(attributeOf(body, 'displayName'), 'displayName'),
    ...namesIn(name),
  }
}

const namesIn = (name: unknown) => ({
  givenName: textOf(attributeOf(name, 'givenName'), 'name.givenName'),
  familyName: textOf(attributeOf(name, 'familyName'), 'name.familyName'),
  formatted: textOf(attributeOf(name, 'formatted'), 'name.formatted'),
})

export const readUserPatch = (body: unknown): UserInput =>
  Object.assign({}, ...readPatch(body).map(changeOf))

/** Attributes that are not kept here are taken and left. */
function changeOf(operation: PatchOperation): UserInput {
  const { op, attribute } = operation
  const value = op === 'remove' ? null : operation.value
  switch (attribute) {
    case 'username':
      return { userName: addressOf(value) }
    case 'active':
      return op === 'remove' ? {} : { active: claimOf(value, 'active') }
    case 'externalid':
      return { externalId: textOf(value, 'externalId') }
    case 'displayname':
      return { displayName: textOf(value, 'displayName') }
    case 'name.givenname':
      return { givenName: textOf(value, 'name.givenName') }
    case 'name.familyname':
      return { familyName: textOf(value, 'name.familyName') }
    case 'name.formatted':
      return { formatted: textOf(value, 'name.formatted') }
    case 'name':
      return withoutAbsent(value, namesIn(value), op)
    default:
      return {}
  }
}

/** Part of a name, as an object: only a removal takes the parts that are not there. */
function withoutAbsent(sent: unknown, names: UserInput, op: PatchOperation['op']): UserInput {
  if (op === 'remove') return names
  return Object.fromEntries(
    Object.entries(names).filter(([name]) => attributeOf(sent, name) !== undefined),
  )
}

function addressOf(value: unknown): string {
  const text = textOf(value, 'userName', maxEmailLength)
  if (text === null || !isEmail(text)) {
    throw new ScimProblem('invalidValue', 'userName is required, and the person’s email address.')
  }
  return accountOf(text)
}

type Names = Pick<UserInput, 'displayName' | 'givenName' | 'familyName' | 'formatted'>

/** The name to show, of what the directory says. */
export const nameOf = ({ displayName, givenName, familyName, formatted }: Names): string | null =>
  displayName ?? fullName(givenName, familyName) ?? formatted ?? null

function fullName(...parts: (string | null | undefined)[]): string | null {
  const name = parts.filter(Boolean).join(' ')
  return name === '' ? null : [...name].slice(0, 255).join('')
}
