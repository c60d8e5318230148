import { endpoint, type Feature } from '../../http/endpoint.ts'
import { conflict } from '../../problems/problem.ts'
import { listParameters } from '../../query/list.ts'
import { memberEvents, organizationEvents, organizationGuardrailEvents } from './event-types.ts'
import { getGuardrails, updateGuardrails } from '../guardrails/guardrails.ts'
import { Guardrails, GuardrailsChanges } from '../guardrails/schema.ts'
import { getLimits } from './limits.ts'
import {
  createMember,
  deleteMember,
  getMember,
  listMembers,
  memberList,
  updateMember,
} from '../members/members.ts'
import { getOrganization, updateOrganization } from './organization.ts'
import {
  Limits,
  Member,
  MemberBody,
  MemberChanges,
  MemberList,
  NewMember,
  Organization,
  OrganizationChanges,
} from './schema.ts'

const ownOrganization = 'Organization'
const members = 'Members'

export const organizations: Feature = {
  endpoints: [
    endpoint({
      operation: 'getOrganization',
      tag: ownOrganization,
      summary: 'Get the own organization',
      method: 'GET',
      path: '/organization',
      permission: 'organization.read',
      reply: Organization,
      run: (ctx) => getOrganization(ctx),
    }),
    endpoint({
      operation: 'updateOrganization',
      tag: ownOrganization,
      summary: 'Change the own organization',
      description: 'A field sent is set, a field left out stays. The operator changes the plan.',
      method: 'PATCH',
      path: '/organization',
      permission: 'organization.write',
      action: 'organization.updated',
      body: OrganizationChanges,
      reply: Organization,
      run: (ctx, { body }) => updateOrganization(ctx, body),
    }),
    endpoint({
      operation: 'getGuardrails',
      tag: ownOrganization,
      summary: 'Get the guardrails of the own organization',
      method: 'GET',
      path: '/organization/guardrails',
      permission: 'guardrails.read',
      reply: Guardrails,
      run: (ctx) => getGuardrails(ctx),
    }),
    endpoint({
      operation: 'updateGuardrails',
      tag: ownOrganization,
      summary: 'Change the guardrails of the own organization',
      description:
        'A field sent is set as a whole, null clears it, a field left out stays. They hold from the next request on; what runs already goes on.',
      method: 'PUT',
      path: '/organization/guardrails',
      permission: 'guardrails.write',
      action: 'organization.guardrails_updated',
      body: GuardrailsChanges,
      example: {
        max_daily_budget: { USD: 1000 },
        max_lifetime_budget: { USD: 50_000 },
        unlisted_currencies: 'refuse',
        approval: { mode: 'above', amounts: { USD: 500 } },
      },
      gathersFaults: true,
      reply: Guardrails,
      run: (ctx, { body }) => updateGuardrails(ctx, body),
    }),
    endpoint({
      operation: 'getLimits',
      tag: ownOrganization,
      summary: 'What the plan allows, how much is used, and what is stored',
      method: 'GET',
      path: '/limits',
      permission: 'organization.read',
      reply: Limits,
      run: (ctx) => getLimits(ctx),
    }),
    endpoint({
      operation: 'listMembers',
      tag: members,
      summary: 'List members',
      method: 'GET',
      path: '/members',
      permission: 'members.read',
      query: listParameters(memberList),
      reply: MemberList,
      run: (ctx, { query }) => listMembers(ctx, query),
    }),
    endpoint({
      operation: 'createMember',
      tag: members,
      summary: 'Add a member',
      description:
        'Without a password one is made and shown once, as `temporary_password`. Only owners make owners.',
      method: 'POST',
      path: '/members',
      permission: 'members.manage',
      action: 'member.created',
      body: MemberBody,
      status: 201,
      reply: NewMember,
      problems: ['email_taken', 'limit_exceeded', 'overloaded'],
      noStore: true,
      run: (ctx, { body }) => createMember(ctx, body),
    }),
    endpoint({
      operation: 'getMember',
      tag: members,
      summary: 'Get a member',
      method: 'GET',
      path: '/members/:id',
      permission: 'members.read',
      reply: Member,
      run: (ctx, { id }) => getMember(ctx, id),
    }),
    endpoint({
      operation: 'updateMember',
      tag: members,
      summary: 'Change a member',
      description:
        'PUT and PATCH both merge. A new role applies to the next request; disabling ends all sessions of the user. Only owners change owners, and the last enabled owner stays one.',
      method: ['PUT', 'PATCH'],
      path: '/members/:id',
      permission: 'members.manage',
      action: 'member.updated',
      body: MemberChanges,
      reply: Member,
      problems: ['last_owner'],
      run: (ctx, { id, body }) => updateMember(ctx, id, body),
    }),
    endpoint({
      operation: 'deleteMember',
      tag: members,
      summary: 'Delete a member',
      description:
        'The user’s sessions end at once, and the API keys that the user made are revoked. What else the user made stays.',
      method: 'DELETE',
      path: '/members/:id',
      permission: 'members.manage',
      action: 'member.deleted',
      status: 204,
      problems: ['last_owner'],
      run: (ctx, { id }) => deleteMember(ctx, id),
    }),
  ],
  constraints: {
    user_emails_pkey: () => conflict('email_taken', 'A user with this email exists.'),
  },
  events: [organizationEvents, organizationGuardrailEvents, memberEvents],
}
