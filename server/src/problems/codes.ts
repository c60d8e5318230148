/** Whether the same request can succeed: by itself later, after a correction, or never. */
export type Retry = 'transient' | 'correctable' | 'terminal'

type ProblemKind = {
  status: number
  title: string
  retry: Retry
  /** Why it happens, and what to do: the page `/problems/<code>`. */
  cause: string
  fix: string
}

const kind = (status: number, retry: Retry, [title, cause, fix]: [string, string, string]) => ({
  status,
  title,
  retry,
  cause,
  fix,
})

/** Every code that a problem document can carry. Codes are stable, texts are not. */
export const problemKinds = {
  malformed_json: kind(400, 'correctable', [
    'The request body is not valid JSON',
    'The body could not be read as one JSON value: a syntax error, a duplicate key, text that is not well-formed UTF-8, an unpaired surrogate, or the key `__proto__`; or it is beyond a bound: nested deeper than 32, a number of more than 400 characters, more than 5,000 members and items (50,000 in a bulk request).',
    'Send one well-formed JSON object; split what is beyond a bound into several requests.',
  ]),
  invalid_parameter: kind(400, 'correctable', [
    'A query parameter has an invalid value',
    'A query parameter is known, but its value is not one that it takes.',
    'Correct the parameters that `errors` names.',
  ]),
  unknown_parameter: kind(400, 'correctable', [
    'A query parameter is not known',
    'The endpoint has no query parameter of that name. It is refused so that a misspelt filter cannot silently select everything.',
    'Correct or remove the parameters that `errors` names.',
  ]),
  invalid_cursor: kind(400, 'correctable', [
    'The cursor cannot be used',
    'The cursor is damaged, belongs to another list or organization, or was sent with other filters or another order than the walk began with.',
    'Send `meta.next_cursor` unchanged, alone or with the same filters; or begin again without a cursor.',
  ]),
  invalid_header: kind(400, 'correctable', [
    'A request header has an invalid value',
    'A header such as `If-Match` or `Idempotency-Key` is not of its form.',
    'Correct the headers that `errors` names.',
  ]),
  missing_token: kind(401, 'correctable', [
    'The request has no Authorization header',
    'The request has no header `Authorization`, or an empty one.',
    'Log in with POST /auth/login and send `Authorization: Bearer <token>` with each request.',
  ]),
  invalid_token: kind(401, 'correctable', [
    'The bearer token is not valid',
    'The header `Authorization` is not of the form `Bearer <token>` (`Basic …` is not), the token is malformed, or its signature, issuer or audience is not this service’s.',
    'Send `Authorization: Bearer <token>`; where it is so already, log in again.',
  ]),
  token_expired: kind(401, 'correctable', [
    'The bearer token has expired',
    'A token lives 24 hours; an API key lives until its `expires_at`, where it has one.',
    'Log in again; next time, renew with POST /auth/refresh before `expires_at`. For a machine, make a new API key.',
  ]),
  token_revoked: kind(401, 'correctable', [
    'The bearer token was revoked',
    'The session was ended, the password was changed, the user was disabled, or the token was replaced by a refresh more than 60 seconds ago. Or it is an API key that was deleted.',
    'Use the newest token of the session, log in again, or use another API key.',
  ]),
  session_expired: kind(401, 'correctable', [
    'The session has expired',
    'A session can be refreshed for 30 days at most.',
    'Log in again.',
  ]),
  invalid_credentials: kind(401, 'correctable', [
    'Email or password is wrong',
    'There is no enabled user with this email and password.',
    'Check both. Repeated failures slow further attempts down.',
  ]),
  insufficient_role: kind(403, 'terminal', [
    'The role does not allow this',
    'The user’s role may not call this endpoint; `required_roles` lists those that may.',
    'Ask an owner or admin of the organization.',
  ]),
  session_required: kind(403, 'terminal', [
    'API keys have no session',
    'The endpoint is about a login: its tokens, sessions, user or password. The request came with an API key.',
    'Log in with POST /auth/login, and send the token that it answers.',
  ]),
  self_approval_forbidden: kind(403, 'terminal', [
    'Nobody approves their own submission',
    'The campaign was submitted by the same user or API key.',
    'Ask another approver.',
  ]),
  organization_suspended: kind(403, 'terminal', [
    'The organization is suspended',
    'A suspended organization can be read but not changed.',
    'Ask the operator of this service.',
  ]),
  not_found: kind(404, 'terminal', [
    'Nothing is here',
    'There is no such path, or no such object in your organization.',
    'Check the path and the id.',
  ]),
  method_not_allowed: kind(405, 'terminal', [
    'The path does not take this method',
    'The path exists, with the methods of the `Allow` header.',
    'Use one of these methods.',
  ]),
  invalid_state_transition: kind(409, 'correctable', [
    'The present status does not allow this action',
    'The action does not lead out of `current_status`; `allowed_actions` lists those that do.',
    'Choose one of the allowed actions.',
  ]),
  resource_in_use: kind(409, 'correctable', [
    'Something still refers to this object',
    'The objects in `references` use it.',
    'Change or delete these first.',
  ]),
  external_id_taken: kind(409, 'correctable', [
    'The external id is taken',
    'Another object of this kind in the organization has this `external_id`.',
    'Choose another, or look that object up with `?external_id=`.',
  ]),
  duplicate_name: kind(409, 'correctable', [
    'The name is taken',
    'Another object of this kind in the organization has this name.',
    'Choose another name.',
  ]),
  duplicate_account_ref: kind(409, 'correctable', [
    'The account is taken',
    'Another profile of the organization has this `account_ref` on the same platform.',
    'Use that profile, or correct `account_ref` or `platform`.',
  ]),
  email_taken: kind(409, 'correctable', [
    'The email is taken',
    'A user with this email exists; an email belongs to one user of the whole service.',
    'Use another email.',
  ]),
  last_owner: kind(409, 'correctable', [
    'An organization keeps at least one owner',
    'This user is the last enabled owner of the organization.',
    'Make another member owner first.',
  ]),
  idempotency_in_progress: kind(409, 'transient', [
    'A request with this idempotency key is still running',
    'The first request with the key has not ended yet.',
    'Send the same request again after `Retry-After`.',
  ]),
  limit_exceeded: kind(409, 'correctable', [
    'The organization has as many of these as it may',
    'A cap on the number of objects is reached; GET /limits shows all caps and their use.',
    'Delete or archive some, or ask the operator for more.',
  ]),
  launch_blocked: kind(409, 'correctable', [
    'The campaign cannot run now',
    'A check before launch failed; `blocked_by` lists the reasons.',
    'Remove the reasons, then try again.',
  ]),
  approval_required: kind(409, 'correctable', [
    'The campaign needs an approval first',
    'The organization asks for an approval before this, or the change goes beyond what was approved.',
    'Submit the campaign for review; pause it first where it runs.',
  ]),
  not_a_sandbox: kind(409, 'terminal', [
    'The organization is not a sandbox',
    'Only a sandbox organization has this endpoint.',
    'Use a sandbox organization.',
  ]),
  version_mismatch: kind(412, 'correctable', [
    'The object has changed since it was read',
    'The version in `If-Match` is not `current_version`.',
    'Read the object again, apply the change to it, and send the new version.',
  ]),
  body_too_large: kind(413, 'terminal', [
    'The request body is too large',
    'A body has at most 1 MiB; where no token is needed, as in a login, 2 KiB.',
    'Send less at once.',
  ]),
  uri_too_long: kind(414, 'terminal', [
    'The request target is too long',
    'Path and query have at most 8 KiB.',
    'Use fewer or shorter parameters.',
  ]),
  unsupported_media_type: kind(415, 'correctable', [
    'The request body is not JSON',
    'The `Content-Type` is not `application/json` (PATCH also takes `application/merge-patch+json`), or the body is compressed.',
    'Send JSON with its content type, without `Content-Encoding`.',
  ]),
  headers_too_large: kind(431, 'terminal', [
    'The request headers are too large',
    'A request has at most 100 headers, of 16 KiB together.',
    'Send fewer or shorter headers.',
  ]),
  validation_failed: kind(422, 'correctable', [
    'The request body has faults',
    'Fields are missing, unknown, or have values that they do not take; `errors` lists every fault.',
    'Correct the fields that `errors` names.',
  ]),
  idempotency_key_reused: kind(422, 'terminal', [
    'The idempotency key was used for another request',
    'The key belongs to an earlier request with another body.',
    'Use a new key for each new request, the same key only to repeat one.',
  ]),
  guardrail_violation: kind(422, 'correctable', [
    'A guardrail of the organization forbids this',
    'The change breaks the rule that the problem names.',
    'Stay within `limit`, or have an owner or admin send it with `X-Override-Reason`. A profile’s cap is raised on the profile.',
  ]),
  bulk_failed: kind(422, 'correctable', [
    'The bulk request was refused as a whole',
    'In atomic mode one fault refuses all operations; `errors` lists every fault.',
    'Correct the operations that `errors` names.',
  ]),
  precondition_required: kind(428, 'correctable', [
    'The change must name the version that it starts from',
    'The organization requires `If-Match` on every change, or this is an approval, which always needs it (`*` is not enough).',
    'Read the object, and send its `ETag` in `If-Match`.',
  ]),
  rate_limited: kind(429, 'transient', [
    'The organization’s request limit is reached',
    'The plan’s requests of this minute are used up; a body counts as one per 16 KiB begun, a bulk request as one per ten operations if that is more.',
    'Wait `Retry-After` seconds.',
  ]),
  login_throttled: kind(429, 'transient', [
    'Too many failed logins',
    'After repeated failures an account waits before the next attempt from that network, and an address before any.',
    'Wait `Retry-After` seconds.',
  ]),
  internal_error: kind(500, 'transient', [
    'Something went wrong on our side',
    'An unexpected fault; the service’s log has the details under `request_id`.',
    'Try again; when it stays, send the request id to the operator.',
  ]),
  not_implemented: kind(501, 'terminal', [
    'The transfer encoding is not known',
    'The header `Transfer-Encoding` is something else than `chunked`.',
    'Send the body with `Content-Length`, or in chunks.',
  ]),
  unavailable: kind(503, 'transient', [
    'The service cannot reach its database',
    'The database does not answer at present, or not within 5 seconds.',
    'Try again after `Retry-After`. Use idempotency keys so that a repeated write happens once.',
  ]),
  overloaded: kind(503, 'transient', [
    'The service has too much to do',
    'More requests wait than the service accepts.',
    'Try again after `Retry-After`.',
  ]),
  shutting_down: kind(503, 'transient', [
    'The service is shutting down',
    'This instance finishes what it has begun and takes nothing new.',
    'Try again after `Retry-After`; another instance, or this one restarted, will answer.',
  ]),
} satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof problemKinds
