import { endpoint, publicEndpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { listParameters } from '../../query/list.ts'
import { Login } from '../auth/schema.ts'
import { manageMembers, readMembers } from '../members/resource.ts'
import { acceptInvitation, endInvitationsOf } from './accept.ts'
import { invitationEvents } from './event-types.ts'
import {
  createInvitation,
  deleteInvitation,
  emailTaken,
  getInvitation,
  invitationList,
  listInvitations,
  resendInvitation,
} from './invitations.ts'
import { cap, invitationIds, tag } from './resource.ts'
import { purgeInvitations, purgeLinks } from './retention.ts'
import { AcceptBody, Invitation, InvitationBody, InvitationList, SentInvitation } from './schema.ts'

export const invitations: Feature = {
  tag,
  ids: { invitations: invitationIds },
  cap,
  evenWhenFull: { 'invitation.deleted': true },
  endpoints: [
    endpoint({
      operation: 'listInvitations',
      tag,
      summary: 'List invitations',
      description: 'Open ones, and expired ones of the last 30 days.',
      method: 'GET',
      path: '/invitations',
      permission: readMembers,
      query: listParameters(invitationList),
      reply: InvitationList,
      run: (ctx, { query }) => listInvitations(ctx, query),
    }),
    endpoint({
      operation: 'createInvitation',
      tag,
      summary: 'Invite a person',
      description:
        'Mails a link that works once, for 7 days; without mail the link is in `url`, for you to hand on. Only owners can invite owners. It ends when you lose the right to invite.',
      method: 'POST',
      path: '/invitations',
      permission: manageMembers,
      needsRecentLogin: true,
      action: 'invitation.created',
      body: InvitationBody,
      example: { email: 'alan@example.com', name: 'Alan Turing', role: 'editor' },
      status: 201,
      reply: SentInvitation,
      problems: ['email_taken', 'limit_exceeded'],
      noStore: true,
      run: (ctx, { body }) => createInvitation(ctx, body),
    }),
    publicEndpoint({
      operation: 'acceptInvitation',
      tag,
      summary: 'Accept an invitation',
      description: 'Makes the person a member, and logs them in. Needs no credential but the link.',
      method: 'POST',
      path: '/invitations/accept',
      body: AcceptBody,
      example: {
        secret: 'q1bXk9y3nVbq0zJp5m2c8s7d4f6g1h0jKlMnOpQrStU',
        name: 'Grace Hopper',
        password: 'correct horse battery',
      },
      status: 201,
      reply: Login,
      problems: [
        ...(['not_found', 'link_expired', 'email_taken', 'limit_exceeded'] as const),
        ...(['login_throttled', 'organization_suspended'] as const),
      ],
      noStore: true,
      run: (ctx, { body }) => acceptInvitation(ctx, body),
    }),
    endpoint({
      operation: 'getInvitation',
      tag,
      summary: 'Get an invitation',
      method: 'GET',
      path: '/invitations/:id',
      permission: readMembers,
      reply: Invitation,
      run: (ctx, { id }) => getInvitation(ctx, id),
    }),
    endpoint({
      operation: 'resendInvitation',
      tag,
      summary: 'Send an invitation again',
      description: 'With a new link for another 7 days; the former one ends.',
      method: 'POST',
      path: '/invitations/:id/resend',
      permission: manageMembers,
      needsRecentLogin: true,
      action: 'invitation.resent',
      reply: SentInvitation,
      problems: ['limit_exceeded'],
      noStore: true,
      run: (ctx, { id }) => resendInvitation(ctx, id),
    }),
    endpoint({
      operation: 'deleteInvitation',
      tag,
      summary: 'Take an invitation back',
      method: 'DELETE',
      path: '/invitations/:id',
      permission: manageMembers,
      needsRecentLogin: true,
      action: 'invitation.deleted',
      status: 204,
      run: (ctx, { id }) => deleteInvitation(ctx, id),
    }),
  ],
  reactions: { 'member.updated': endInvitationsOf, 'member.deleted': endInvitationsOf },
  constraints: { invitations_email_key: emailTaken },
  events: [invitationEvents],
  jobs: [
    { name: 'invitations.purge', cron: '47 3 * * *', run: purgeInvitations },
    { name: 'account-links.purge', cron: '49 3 * * *', run: purgeLinks },
  ],
}
