/** A sentence for each problem: the next step. */
const byCode: Readonly<Record<string, string>> = {
  version_mismatch: 'Read the object again and propose anew from its present version.',
  change_set_stale: 'Read the change set; what it changes has moved, so propose anew.',
  approval_required: 'Ask a person to approve it in the console; then apply it again.',
  guardrail_violation: 'Propose less, or ask a person who may override the guardrail.',
  agent_envelope_exceeded: 'Ask a person to approve the change set in the console.',
  agent_stopped: 'Stop writing and ask a person: an admin can resume this key.',
  change_set_required: 'Use propose_changes instead.',
  insufficient_role: 'Ask a person with a role that may do this.',
  out_of_scope: 'Keep to what this key may see.',
  rate_limited: 'Wait for the seconds that the detail names, then repeat the same call.',
  not_found: 'Look for the id with find_campaigns or read.',
  missing_token: 'Give the client an API key or a token of Flightdeck.',
  token_revoked: 'Stop: this key was revoked, and a person must give a new one.',
  idempotency_key_reused: 'Use a new idempotency_key for other content.',
  answer_too_large: 'Ask for fewer rows with limit, or for chosen fields.',
}

const byStatus = (status: unknown): string => {
  if (status === 403) return 'Ask a person: this key is not allowed to.'
  if (status === 409) return 'Read the object again to see its present state.'
  if (status === 503) return 'Wait a few seconds, then repeat the same call.'
  if (status === 500)
    return 'Repeat the call once; if it fails again, report the request_id to a person.'
  return 'Correct what errors and detail name, then call again.'
}

export const nextFor = (code: unknown, status: unknown): string =>
  (typeof code === 'string' && Object.hasOwn(byCode, code) ? byCode[code] : undefined) ??
  byStatus(status)
