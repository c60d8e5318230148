import { accountKinds } from './account-codes.ts'
import { kind, type ProblemKind } from './kind.ts'

/** Every code that a problem document can carry. Codes are stable, texts are not. */
export const problemKinds = {
  ...accountKinds,
  malformed_json: kind(400, 'correctable', [
    'The request body is not valid JSON',
    'The body could not be read as one JSON value: a syntax error, a duplicate key, text that is not well-formed UTF-8, an unpaired surrogate, or the key `__proto__`; or it exceeds a bound: nesting deeper than 32, a number longer than 400 characters, more than 5,000 members and items (50,000 in a bulk request, a change set or a report of results).',
    'Send one well-formed JSON object; split larger data into several requests.',
  ]),
  invalid_parameter: kind(400, 'correctable', [
    'A query parameter has an invalid value',
    'A query parameter has a value that it does not accept.',
    'Correct the parameters listed in `errors`.',
  ]),
  unknown_parameter: kind(400, 'correctable', [
    'A query parameter is not known',
    'The endpoint has no query parameter with that name. Unknown parameters are refused so that a misspelled filter cannot silently select everything.',
    'Correct or remove the parameters listed in `errors`.',
  ]),
  invalid_cursor: kind(400, 'correctable', [
    'The cursor cannot be used',
    'The cursor is damaged, belongs to another list or organization, or was sent with other filters or another sort order than the first page.',
    'Send `meta.next_cursor` unchanged, alone or with the same filters; or start again without a cursor.',
  ]),
  invalid_header: kind(400, 'correctable', [
    'A request header has an invalid value',
    'A header such as `If-Match` or `Idempotency-Key` is malformed.',
    'Correct the headers listed in `errors`.',
  ]),
  insufficient_role: kind(403, 'terminal', [
    'The role does not allow this',
    'The user’s role does not permit this call; `required_roles` lists the roles that do.',
    'Ask an owner or admin of the organization.',
  ]),
  agent_stopped: kind(403, 'terminal', [
    'The writes of the agent are stopped',
    'A person has stopped the agent, or five of its writes were refused within an hour. It still reads, and pauses campaigns.',
    'Ask an owner or admin of the organization to look at what it did, and to resume it.',
  ]),
  out_of_scope: kind(403, 'terminal', [
    'It is outside the scope',
    'The object would end outside what the user or API key may see, or the operation is about the whole organization.',
    'Keep to the clients, profiles and labels of your scope, or ask an owner or admin of the organization.',
  ]),
  self_approval_forbidden: kind(403, 'terminal', [
    'A submission cannot be approved by its submitter',
    'The campaign or change set is by the same user, or by an API key of that user.',
    'Ask another approver.',
  ]),
  organization_suspended: kind(403, 'terminal', [
    'The organization is suspended',
    'A suspended organization can be read but not changed.',
    'Ask the operator of this service.',
  ]),
  foreign_origin: kind(403, 'terminal', [
    'The request names another site',
    '`/mcp` answers only requests whose `Host`, and `Origin` if there is one, are those of the service: its public URL, or 127.0.0.1 or localhost at its port.',
    'Use the public URL of the service, or set `FLIGHTDECK_PUBLIC_URL` to the URL that clients use.',
  ]),
  not_found: kind(404, 'terminal', [
    'Not found',
    'The path does not exist, or your organization has no such object.',
    'Check the path and the id.',
  ]),
  method_not_allowed: kind(405, 'terminal', [
    'The path does not support this method',
    'The path exists, but supports only the methods in the `Allow` header.',
    'Use one of these methods.',
  ]),
  invalid_state_transition: kind(409, 'correctable', [
    'The current status does not allow this action',
    'The action is not allowed in `current_status`; `allowed_actions` lists those that are.',
    'Choose one of the allowed actions.',
  ]),
  resource_in_use: kind(409, 'correctable', [
    'Other objects still refer to this object',
    'The objects in `references` use it.',
    'Change or delete them first.',
  ]),
  external_id_taken: kind(409, 'correctable', [
    'The external id is taken',
    'Another object of this kind in the organization has this `external_id`.',
    'Choose another, or look that object up with `?external_id=`.',
  ]),
  duplicate_name: kind(409, 'correctable', [
    'The name is taken',
    'Another object of this kind in the organization already has this name.',
    'Choose another name.',
  ]),
  duplicate_account_ref: kind(409, 'correctable', [
    'The account is taken',
    'Another profile of the organization has this `account_ref` on the same platform.',
    'Use that profile or correct `account_ref` or `platform`.',
  ]),
  network_object_taken: kind(409, 'correctable', [
    'The object of the network is taken',
    'Another campaign of the organization is linked with this object of the account.',
    'Detach that campaign first, or link another object.',
  ]),
  lease_held: kind(409, 'transient', [
    'Another connector holds the account',
    'A connector’s lease on one of `profile_ids` has not ended.',
    'Wait until it ends or is let go, or stop the other connector.',
  ]),
  lease_lost: kind(409, 'correctable', [
    'The lease is not held any more',
    'The lease has ended, or its fence is older than the newest: another process may hold the accounts.',
    'Take a new lease, and ask for work again. Nothing of the request was stored.',
  ]),
  idempotency_in_progress: kind(409, 'transient', [
    'A request with this idempotency key is still running',
    'The first request with the key has not finished yet.',
    'Send the same request again after `Retry-After`.',
  ]),
  limit_exceeded: kind(409, 'correctable', [
    'The organization has reached a limit',
    'A cap on objects or on storage is reached; GET /limits shows all caps and their usage.',
    'Delete or archive some, or ask the operator for a higher limit.',
  ]),
  launch_blocked: kind(409, 'correctable', [
    'The campaign cannot run now',
    'A check before launch failed; `blocked_by` lists the reasons.',
    'Resolve the reasons, then try again.',
  ]),
  approval_required: kind(409, 'correctable', [
    'An approval is needed first',
    'The organization requires approval for this, or the change exceeds the approval.',
    'Submit the campaign for approval; if it is running, pause it first. Have a change set approved.',
  ]),
  change_set_required: kind(409, 'correctable', [
    'This is done by change sets only',
    'The guardrails (`required_for`) let this caller start campaigns and make a day dearer by change sets only; agents change all campaigns and templates so.',
    'Propose the change with POST /change_sets, then apply it.',
  ]),
  agent_envelope_exceeded: kind(409, 'correctable', [
    'The change set raises more than the agent may by itself',
    'What a day can cost more afterwards, together with what the agent has applied in the last 24 hours, is above its `envelope_24h`; `envelope` has the amounts.',
    'Have a person approve the change set, or propose less.',
  ]),
  change_set_stale: kind(409, 'correctable', [
    'What the change set is about has changed since it was tried',
    'Objects of the change set have moved, or what it would do is no longer what its trial found; `stale` lists the operations.',
    'Refresh the change set, look at what it does now, then apply it.',
  ]),
  change_set_not_applicable: kind(409, 'correctable', [
    'The change set has operations that fail',
    'In atomic mode a single failing operation refuses all; `errors` lists every fault.',
    'Propose a corrected change set, or refresh this one once the causes are gone.',
  ]),
  row_final: kind(409, 'correctable', [
    'The day is final',
    'Figures reported as final change only by a restatement.',
    'To correct the day, report it again with `restate: true` and `is_final: true`.',
  ]),
  results_source_taken: kind(409, 'correctable', [
    'The results of the campaign come from another source',
    'Two sources of one campaign count its spend twice, unless each reports a part of it.',
    'Report under the name in use. To add a second source for good, send `additional: true`.',
  ]),
  not_an_agent: kind(409, 'terminal', [
    'The key is not an agent’s',
    'Only keys that were made with `agent` have terms, and are stopped and resumed.',
    'To end another key, delete it.',
  ]),
  not_a_sandbox: kind(409, 'terminal', [
    'The organization is not a sandbox',
    'This endpoint is available to sandbox organizations only.',
    'Use a sandbox organization.',
  ]),
  version_mismatch: kind(412, 'correctable', [
    'The object has changed since it was read',
    'The version in `If-Match` is not `current_version`.',
    'Read the object again, reapply the change and send the new version.',
  ]),
  body_too_large: kind(413, 'terminal', [
    'The request body is too large',
    'A body may have at most 1 MiB; 8 MiB for change sets, 2 KiB for endpoints without authentication, such as login.',
    'Send less data per request.',
  ]),
  uri_too_long: kind(414, 'terminal', [
    'The request target is too long',
    'Path and query may have at most 8 KiB.',
    'Use fewer or shorter parameters.',
  ]),
  unsupported_media_type: kind(415, 'correctable', [
    'The request body is not JSON',
    'The `Content-Type` is not `application/json` (PATCH also accepts `application/merge-patch+json`), or the body is compressed.',
    'Send JSON with its content type, without `Content-Encoding`.',
  ]),
  headers_too_large: kind(431, 'terminal', [
    'The request headers are too large',
    'A request may have at most 100 headers, 16 KiB in total.',
    'Send fewer or shorter headers.',
  ]),
  validation_failed: kind(422, 'correctable', [
    'The request body is invalid',
    'Fields are missing, unknown or have invalid values; `errors` lists every fault.',
    'Correct the fields listed in `errors`.',
  ]),
  idempotency_key_reused: kind(422, 'terminal', [
    'The idempotency key was used for another request',
    'The key was used by an earlier request with a different body.',
    'Use a new key for each new request; reuse a key only to repeat one.',
  ]),
  guardrail_violation: kind(422, 'correctable', [
    'A guardrail of the organization prevents this',
    'The change breaks the rule in `rule`.',
    'Stay within `limit`, or have an owner or admin send the request with `X-Override-Reason`. To raise a profile’s cap, change the profile.',
  ]),
  bulk_failed: kind(422, 'correctable', [
    'The bulk request was refused as a whole',
    'In atomic mode a single fault refuses all operations; `errors` lists every fault.',
    'Correct the operations listed in `errors`.',
  ]),
  precondition_required: kind(428, 'correctable', [
    'The change requires the current version',
    'The organization requires `If-Match` on every change, or this is an approval, which always requires it (`*` is not enough).',
    'Read the object and send its `ETag` in `If-Match`.',
  ]),
  rate_limited: kind(429, 'transient', [
    'Request limit reached',
    'The plan’s requests per minute are used up. A body counts as one request per started 16 KiB, a bulk request or change set as one per ten operations if that is more.',
    'Wait `Retry-After` seconds.',
  ]),
  internal_error: kind(500, 'transient', [
    'An unexpected error occurred',
    'An internal error; the service’s log has the details under `request_id`.',
    'Try again; if it persists, send the request id to the operator.',
  ]),
  not_implemented: kind(501, 'terminal', [
    'The transfer encoding is not supported',
    'The `Transfer-Encoding` header is not `chunked`.',
    'Send the body with `Content-Length`, or chunked.',
  ]),
  unavailable: kind(503, 'transient', [
    'The service cannot reach its database',
    'The database is unavailable, or did not answer within 5 seconds.',
    'Try again after `Retry-After`. Use idempotency keys so that a repeated write is applied once.',
  ]),
  overloaded: kind(503, 'transient', [
    'The service is overloaded',
    'The service has reached its limit of concurrent requests.',
    'Try again after `Retry-After`.',
  ]),
  shutting_down: kind(503, 'transient', [
    'The service is shutting down',
    'This instance finishes running requests and accepts no new ones.',
    'Try again after `Retry-After`; another instance, or this one after a restart, will respond.',
  ]),
} satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof problemKinds
