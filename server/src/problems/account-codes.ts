import { kind, type ProblemKind } from './kind.ts'

/** Codes about users, and their ways in. */
export const accountKinds = {
  missing_token: kind(401, 'correctable', [
    'The request has no Authorization header',
    'The request has no `Authorization` header, or an empty one.',
    'Log in with POST /auth/login and send `Authorization: Bearer <token>` with each request.',
  ]),
  invalid_token: kind(401, 'correctable', [
    'The bearer token is not valid',
    'The `Authorization` header is not of the form `Bearer <token>` (`Basic …` is not), the token is malformed, or its signature, issuer or audience is not this service’s.',
    'Send `Authorization: Bearer <token>`; if it is correct, log in again.',
  ]),
  token_expired: kind(401, 'correctable', [
    'The bearer token has expired',
    'A token is valid for 24 hours; an API key until its `expires_at`, if set.',
    'Log in again; next time, renew with POST /auth/refresh before `expires_at`. For an API key, create a new one.',
  ]),
  token_revoked: kind(401, 'correctable', [
    'The bearer token was revoked',
    'The session was ended, the password was changed, the user was disabled, or the token was replaced by a refresh more than 60 seconds ago. Or it is an API key that was deleted.',
    'Use the newest token of the session, log in again, or use another API key.',
  ]),
  session_expired: kind(401, 'correctable', [
    'The session has expired',
    'A session can be refreshed for at most 30 days.',
    'Log in again.',
  ]),
  invalid_credentials: kind(401, 'correctable', [
    'Email or password is wrong',
    'No enabled user has this email and password.',
    'Check both. Repeated failures slow down further attempts.',
  ]),
  second_factor_required: kind(401, 'correctable', [
    'The login needs a second factor',
    'The password is right, and the user has a second factor. `methods` names the fields that can answer. As a 403: the organization requires a second factor, and the user has none.',
    'Send the login again with `otp`, or `challenge` with an answer to POST /auth/login/verify within 5 minutes. After a 403, set up a second factor with POST /auth/factors.',
  ]),
  recent_login_required: kind(403, 'correctable', [
    'The login is too old for this',
    'Factors, whether they are required, API keys, members, single sign-on and guardrails are changed within 15 minutes of a login by people who have a second factor. A refresh is no login.',
    'Log in again, with the second factor, and repeat the request with the new token.',
  ]),
  owner_without_factor: kind(409, 'correctable', [
    'No owner has a second factor',
    'An organization requires second factors only once an owner has one.',
    'Set one up as an owner first: POST /auth/factors.',
  ]),
  sso_required: kind(403, 'terminal', [
    'The login has to be by single sign-on',
    'The organization requires members with an address of this domain to log in by single sign-on: passwords, links to set one and passkeys do nothing.',
    'Open `start_url` of GET /auth/sso in a browser. Owners with a second factor may use their password.',
  ]),
  domain_taken: kind(409, 'terminal', [
    'The domain belongs to another organization',
    'Another organization of this service has proved that the domain is its own.',
    'Ask that organization to remove it, or the operator of this service.',
  ]),
  domain_not_proved: kind(409, 'correctable', [
    'The domain is not proved yet',
    'The domain has no TXT record with the token of the organization. New records take a while to be seen everywhere.',
    'Add `txt_record` to the domain’s DNS, and try again later.',
  ]),
  session_required: kind(403, 'terminal', [
    'API keys have no session',
    'The endpoint concerns a login session: its tokens, user or password. The request used an API key.',
    'Log in with POST /auth/login and send the returned token.',
  ]),
  email_taken: kind(409, 'correctable', [
    'The email is taken',
    'A user with this email already exists; emails are unique across the whole service.',
    'Use another email.',
  ]),
  passkey_taken: kind(409, 'correctable', [
    'The passkey belongs to someone else',
    'Another user of this service has registered the same passkey; each is of one user alone.',
    'Make a new passkey on the device, or remove it from the other account first.',
  ]),
  mail_not_configured: kind(409, 'terminal', [
    'The service sends no mail',
    'What was asked for is mailed, and the service has no mail server; `mail` of GET /organization says so.',
    'Ask the operator of this service to set `FLIGHTDECK_SMTP_URL` and `FLIGHTDECK_MAIL_FROM`.',
  ]),
  last_owner: kind(409, 'correctable', [
    'An organization needs at least one owner',
    'This user is the last enabled owner of the organization.',
    'Make another member owner first.',
  ]),
  link_expired: kind(410, 'terminal', [
    'The link works no longer',
    'A link to join or to set a password works once. It was used, has ended, was taken back, or a newer one was sent.',
    'Use the newest link, or ask for another.',
  ]),
  login_throttled: kind(429, 'transient', [
    'Too many failed logins',
    'After repeated failures, an account must wait before the next attempt from that network, and an address before any attempt.',
    'Wait `Retry-After` seconds.',
  ]),
} satisfies Record<string, ProblemKind>
