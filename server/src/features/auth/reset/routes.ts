import { type Endpoint, endpoint, publicEndpoint } from '../../../http/endpoint.ts'
import { manageMembers } from '../../members/resource.ts'
import { tag } from '../resource.ts'
import { Forgotten, ForgottenBody, GivenReset, ResetBody } from '../schema.ts'
import { forgotPassword, resetMember } from './forgotten.ts'
import { resetPassword } from './reset.ts'

export const resetEndpoints: readonly Endpoint[] = [
  publicEndpoint({
    operation: 'forgotPassword',
    tag,
    summary: 'Ask for a new password',
    description:
      'Mails a link that works once, for 30 minutes, if the address is of a member and the service sends mail. The answer is the same for every address.',
    method: 'POST',
    path: '/auth/password/forgotten',
    body: ForgottenBody,
    example: { email: 'grace@example.com' },
    status: 202,
    reply: Forgotten,
    problems: ['login_throttled'],
    run: (ctx, { body }) => forgotPassword(ctx, body),
  }),
  publicEndpoint({
    operation: 'resetPassword',
    tag,
    summary: 'Set a new password by a link',
    description:
      'Ends all sessions of the person, who gets a mail about it. Who has a second factor sends its code as `otp`.',
    method: 'POST',
    path: '/auth/password/reset',
    body: ResetBody,
    example: {
      secret: 'q1bXk9y3nVbq0zJp5m2c8s7d4f6g1h0jKlMnOpQrStU',
      password: 'a longer pass phrase',
    },
    status: 204,
    problems: [
      'invalid_credentials',
      'second_factor_required',
      'not_found',
      'link_expired',
      'login_throttled',
    ],
    run: (ctx, { body }) => resetPassword(ctx, body),
  }),
  endpoint({
    operation: 'resetMemberPassword',
    tag,
    summary: 'Send a member a link to set a password',
    description:
      'Mails it; without mail the link is in `url`, for you to hand on, and works for 30 minutes. The password works until another is set. Only owners can do so for owners.',
    method: 'POST',
    path: '/members/:id/password_reset',
    permission: manageMembers,
    needsRecentLogin: true,
    action: 'auth.password_reset_requested',
    noDryRun: true,
    reply: GivenReset,
    problems: ['invalid_state_transition'],
    run: (ctx, { id }) => resetMember(ctx, id),
  }),
]
