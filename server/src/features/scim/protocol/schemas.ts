/** The attributes of users and groups that are kept here, as RFC 7643 describes them. */

type Attribute = { readonly name: string; readonly description: string } & Partial<{
  type: string
  multiValued: boolean
  required: boolean
  caseExact: boolean
  mutability: string
  uniqueness: string
  referenceTypes: readonly string[]
  canonicalValues: readonly string[]
  subAttributes: readonly object[]
}>

const attribute = (given: Attribute) => {
  const { type = 'string', ...more } = given
  return {
    type,
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    ...(type !== 'complex' && type !== 'boolean' && { uniqueness: 'none' }),
    ...more,
  }
}

const readOnly = { mutability: 'readOnly' }

export const userAttributes = [
  attribute({
    name: 'userName',
    description: 'The email address, with which the person logs in.',
    required: true,
    uniqueness: 'global',
  }),
  attribute({
    name: 'name',
    description: 'The parts of the name.',
    type: 'complex',
    subAttributes: [
      attribute({ name: 'formatted', description: 'The name that is shown.', ...readOnly }),
      attribute({ name: 'familyName', description: 'The family name.' }),
      attribute({ name: 'givenName', description: 'The given name.' }),
    ],
  }),
  attribute({ name: 'displayName', description: 'The name that is shown.' }),
  attribute({
    name: 'active',
    description: 'Without it the person has no sessions and cannot log in.',
    type: 'boolean',
  }),
  attribute({
    name: 'emails',
    description: 'The address of userName.',
    type: 'complex',
    multiValued: true,
    ...readOnly,
    subAttributes: [
      attribute({ name: 'value', description: 'The address.', ...readOnly }),
      attribute({
        name: 'type',
        description: 'Always work.',
        canonicalValues: ['work'],
        ...readOnly,
      }),
      attribute({ name: 'primary', description: 'Always true.', type: 'boolean', ...readOnly }),
    ],
  }),
  attribute({
    name: 'groups',
    description: 'The groups of the person.',
    type: 'complex',
    multiValued: true,
    ...readOnly,
    subAttributes: [
      attribute({
        name: 'value',
        description: 'The id of the group.',
        caseExact: true,
        ...readOnly,
      }),
      attribute({ name: 'display', description: 'Its name.', ...readOnly }),
      attribute({
        name: '$ref',
        description: 'Its address.',
        type: 'reference',
        referenceTypes: ['Group'],
        caseExact: true,
        ...readOnly,
      }),
    ],
  }),
]

const immutable = { mutability: 'immutable' }

export const groupAttributes = [
  attribute({
    name: 'displayName',
    description: 'The name, by which the group gives a role.',
    required: true,
    uniqueness: 'server',
  }),
  attribute({
    name: 'members',
    description: 'The people of the group; no groups.',
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute({
        name: 'value',
        description: 'The id of the user.',
        caseExact: true,
        ...immutable,
      }),
      attribute({ name: 'display', description: 'The name of the user.', ...readOnly }),
      attribute({
        name: 'type',
        description: 'Always User.',
        canonicalValues: ['User'],
        ...immutable,
      }),
      attribute({
        name: '$ref',
        description: 'The address of the user.',
        type: 'reference',
        referenceTypes: ['User'],
        caseExact: true,
        ...immutable,
      }),
    ],
  }),
]
