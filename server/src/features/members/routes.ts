import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { conflict } from '../../problems/problem.ts'
import { listParameters } from '../../query/list.ts'
import { memberEvents } from './event-types.ts'
import {
  createMember,
  deleteMember,
  getMember,
  listMembers,
  memberList,
  updateMember,
} from './members.ts'
import { cap, manageMembers, readMembers, tag, userIds } from './resource.ts'
import { Member, MemberBody, MemberChanges, MemberList, NewMember } from './schema.ts'

export const members: Feature = {
  tag,
  permissions: [readMembers, manageMembers],
  ids: { members: userIds },
  cap,
  evenWhenFull: {
    'member.updated': true,
    'member.deleted': true,
  },
  endpoints: [
    endpoint({
      operation: 'listMembers',
      tag,
      summary: 'List members',
      method: 'GET',
      path: '/members',
      permission: readMembers,
      query: listParameters(memberList),
      reply: MemberList,
      run: (ctx, { query }) => listMembers(ctx, query),
    }),
    endpoint({
      operation: 'createMember',
      tag,
      summary: 'Add a member',
      description:
        'Without a password one is generated and shown once, as `temporary_password`. Only owners can add owners.',
      method: 'POST',
      path: '/members',
      permission: manageMembers,
      needsRecentLogin: true,
      action: 'member.created',
      body: MemberBody,
      example: { email: 'grace@example.com', name: 'Grace Hopper', role: 'editor' },
      status: 201,
      reply: NewMember,
      problems: ['email_taken', 'limit_exceeded', 'overloaded'],
      noStore: true,
      run: (ctx, { body }) => createMember(ctx, body),
    }),
    endpoint({
      operation: 'getMember',
      tag,
      summary: 'Get a member',
      method: 'GET',
      path: '/members/:id',
      permission: readMembers,
      reply: Member,
      run: (ctx, { id }) => getMember(ctx, id),
    }),
    endpoint({
      operation: 'updateMember',
      tag,
      summary: 'Update a member',
      description:
        'PUT and PATCH both merge. A new role applies to the next request; disabling ends all sessions of the user. Only owners can change owners. The last enabled owner cannot be demoted or disabled.',
      method: ['PUT', 'PATCH'],
      path: '/members/:id',
      permission: manageMembers,
      needsRecentLogin: true,
      action: 'member.updated',
      body: MemberChanges,
      example: { role: 'admin' },
      reply: Member,
      problems: ['last_owner', 'owner_without_factor'],
      run: (ctx, { id, body }) => updateMember(ctx, id, body),
    }),
    endpoint({
      operation: 'deleteMember',
      tag,
      summary: 'Delete a member',
      description:
        'The user’s sessions end immediately and the API keys the user created are revoked. Everything else the user created stays.',
      method: 'DELETE',
      path: '/members/:id',
      permission: manageMembers,
      needsRecentLogin: true,
      action: 'member.deleted',
      status: 204,
      problems: ['last_owner', 'owner_without_factor'],
      run: (ctx, { id }) => deleteMember(ctx, id),
    }),
  ],
  constraints: {
    user_emails_pkey: () => conflict('email_taken', 'A user with this email already exists.'),
  },
  events: [memberEvents],
}
