import type { TestOrganization } from '../world.ts'
import { create } from './bulk.ts'
import { campaignAfter } from './writes.ts'

export const missing = 'cmp_01m7yez275fk1a52pr5qevn8kn'

export type Fixtures = { profile: string; draft: string; active: string }

/** Operations that fail in different ways: status, code, and faults with pointers. */
type Failure = {
  about: string
  operation: (fixtures: Fixtures) => unknown
  status: number
  code: string
  /** In the problem of the operation. */
  errors?: object[]
  /** In `bulk_failed`, if different. */
  item?: object
}

export const failures: Failure[] = [
  {
    about: 'a budget with too many decimals, and a field that there is not',
    operation: ({ profile }) => create(profile, { daily_budget: 1.234, nmae: 'x' }),
    status: 422,
    code: 'validation_failed',
    errors: [
      { pointer: '/body/nmae', code: 'unknown_field' },
      { pointer: '/body/daily_budget', code: 'budget_precision' },
    ],
  },
  {
    about: 'a profile that there is not',
    operation: () => create('prf_01m7yez275fk1a52pr5qevn8kn'),
    status: 422,
    code: 'validation_failed',
    errors: [{ pointer: '/body/profile_id', code: 'invalid_reference' }],
  },
  {
    about: 'a field that may not change now',
    operation: ({ active }) => ({ op: 'update', id: active, body: { objective: 'leads' } }),
    status: 422,
    code: 'validation_failed',
    errors: [{ pointer: '/body/objective', code: 'immutable_field' }],
  },
  {
    about: 'a campaign that there is not',
    operation: () => ({ op: 'update', id: missing, body: {} }),
    status: 404,
    code: 'not_found',
    item: { pointer: '/id', code: 'not_found' },
  },
  {
    about: 'an id that is none',
    operation: () => ({ op: 'delete', id: '../x' }),
    status: 404,
    code: 'not_found',
    item: { pointer: '/id', code: 'not_found' },
  },
  {
    about: 'an id that no database takes',
    operation: () => ({ op: 'delete', id: 'cmp_\u0000' }),
    status: 422,
    code: 'validation_failed',
    errors: [{ pointer: '/id', code: 'invalid_format' }],
  },
  {
    about: 'a status that has no way there',
    operation: ({ draft }) => ({ op: 'action', id: draft, action: 'pause' }),
    status: 409,
    code: 'invalid_state_transition',
    item: {
      pointer: '',
      code: 'invalid_state_transition',
      current_status: 'draft',
      action: 'pause',
      allowed: ['launch', 'archive'],
    },
  },
  {
    about: 'a campaign that runs, to be deleted',
    operation: ({ active }) => ({ op: 'delete', id: active }),
    status: 409,
    code: 'invalid_state_transition',
    item: { pointer: '', code: 'invalid_state_transition' },
  },
  {
    about: 'another version',
    operation: ({ draft }) => ({ op: 'delete', id: draft, version: 7 }),
    status: 412,
    code: 'version_mismatch',
    item: { pointer: '/version', code: 'version_mismatch' },
  },
  {
    about: 'an external id that is taken',
    operation: ({ profile }) => create(profile, { external_id: 'taken' }),
    status: 409,
    code: 'external_id_taken',
    item: { pointer: '/body/external_id', code: 'external_id_taken' },
  },
  {
    about: 'no object',
    operation: () => 'create',
    status: 422,
    code: 'validation_failed',
    errors: [{ pointer: '', code: 'invalid_type' }],
  },
  {
    about: 'null',
    operation: () => null,
    status: 422,
    code: 'validation_failed',
    errors: [{ pointer: '', code: 'invalid_type' }],
  },
  {
    about: 'no op',
    operation: ({ draft }) => ({ id: draft }),
    status: 422,
    code: 'validation_failed',
    errors: [{ pointer: '/op', code: 'required' }],
  },
  {
    about: 'another op',
    operation: ({ draft }) => ({ op: 'destroy', id: draft }),
    status: 422,
    code: 'validation_failed',
    errors: [
      {
        pointer: '/op',
        code: 'invalid_enum_value',
        allowed: ['create', 'update', 'action', 'delete'],
      },
    ],
  },
  {
    about: 'no id, an odd version, a field that there is not, and a fault in the body',
    operation: () => ({ op: 'update', version: '2', colour: 'red', body: { name: 7 } }),
    status: 422,
    code: 'validation_failed',
    errors: [
      { pointer: '/id', code: 'required' },
      { pointer: '/colour', code: 'unknown_field' },
      { pointer: '/version', code: 'invalid_type' },
      { pointer: '/body/name', code: 'invalid_type' },
    ],
  },
  {
    about: 'no body',
    operation: () => ({ op: 'create' }),
    status: 422,
    code: 'validation_failed',
    errors: [{ pointer: '/body', code: 'required' }],
  },
  {
    about: 'a body where there is none to be',
    operation: ({ draft }) => ({ op: 'action', id: draft, action: 'launch', body: { now: true } }),
    status: 422,
    code: 'validation_failed',
    errors: [{ pointer: '/body/now', code: 'unknown_field' }],
  },
  {
    about: 'an action that there is not',
    operation: ({ draft }) => ({ op: 'action', id: draft, action: 'fly' }),
    status: 422,
    code: 'validation_failed',
    errors: [{ pointer: '/action', code: 'invalid_enum_value' }],
  },
  {
    about: 'text that cannot be stored',
    operation: ({ profile }) => create(profile, { notes: 'a\u0000b' }),
    status: 422,
    code: 'validation_failed',
    errors: [{ pointer: '/body/notes', code: 'invalid_format' }],
  },
]

export async function arrange(organization: TestOrganization): Promise<Fixtures> {
  const { owner } = organization
  const [draft, active] = [
    await campaignAfter(organization, [], { external_id: 'taken' }),
    await campaignAfter(organization, ['launch']),
  ]
  const { profile_id } = (await owner.get(`/campaigns/${draft}`)).json()
  return { profile: profile_id, draft, active }
}
