// Made by "npm run generate" from openapi.json.
import type { Call, PageCall, WriteCall } from './call.ts'
import type { CallOptions, Target, WriteOptions } from './transport/options.ts'
import type { Body, Item, Query, Result } from './operation-types.ts'
import type { EventStream, StreamOptions } from './transport/stream.ts'

export interface ApiKeys {
  /**
   * List API keys. `GET /api_keys`
   * Deleted keys are not listed; see the audit log.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/api-keys/GET/api_keys
   */
  list(query?: Query<'listApiKeys'>, options?: CallOptions): PageCall<Item<'listApiKeys'>>
  /**
   * Create an API key. `POST /api_keys`
   * Only this response contains the `key`; it is not stored. Only owners can create keys with the role owner.
   * Roles: owner, admin. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/api-keys/POST/api_keys
   */
  create(body: Body<'createApiKey'>, options?: WriteOptions): WriteCall<Result<'createApiKey'>>
  /**
   * Get an API key. `GET /api_keys/{id}`
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/api-keys/GET/api_keys/{id}
   */
  get(apiKey: Target, query?: Query<'getApiKey'>, options?: CallOptions): Call<Result<'getApiKey'>>
  /**
   * Delete an API key. `DELETE /api_keys/{id}`
   * Its requests are refused from now on (`token_revoked`) and its event streams end. Only owners can delete keys with the role owner.
   * Roles: owner, admin. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/api-keys/DELETE/api_keys/{id}
   */
  delete(apiKey: Target, options?: WriteOptions): WriteCall<Result<'deleteApiKey'>, Result<'getApiKey'>>
  /**
   * Stop the writes of an agent. `POST /api_keys/{id}/stop`
   * Pausing campaigns goes on. What is stopped already stays as it is.
   * Roles: owner, admin. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/api-keys/POST/api_keys/{id}/stop
   */
  stop(apiKey: Target, body?: Body<'stopApiKey'>, options?: WriteOptions): WriteCall<Result<'stopApiKey'>>
  /**
   * Let an agent write again. `POST /api_keys/{id}/resume`
   * None of its refusals until now count any more.
   * Roles: owner, admin. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/api-keys/POST/api_keys/{id}/resume
   */
  resume(apiKey: Target, options?: WriteOptions): WriteCall<Result<'resumeApiKey'>>
  /**
   * See how an agent does. `GET /api_keys/{id}/agent`
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/api-keys/GET/api_keys/{id}/agent
   */
  getAgent(apiKey: Target, options?: CallOptions): Call<Result<'getApiKeyAgent'>>
}

export interface AuditLogs {
  /**
   * List audit records. `GET /audit_logs`
   * Newest first; `sort=sequence` for oldest first. Records cannot be changed or deleted.
   * Roles: owner, admin, auditor.
   * @see http://127.0.0.1:8080/docs#tag/audit-logs/GET/audit_logs
   */
  list(query?: Query<'listAuditLogs'>, options?: CallOptions): PageCall<Item<'listAuditLogs'>>
  /**
   * Verify the audit log. `GET /audit_logs/verify`
   * Recomputes every hash up to the newest record and compares the chain with its signed checkpoints, which reveals changed, missing or truncated records. During a long run whitespace is sent before the JSON, and the status 200 with it: a later failure cuts the response off, leaving invalid JSON.
   * Roles: owner, admin, auditor.
   * @see http://127.0.0.1:8080/docs#tag/audit-logs/GET/audit_logs/verify
   */
  verify(query?: Query<'verifyAuditLogs'>, options?: CallOptions): Call<Result<'verifyAuditLogs'>>
  /**
   * List signed checkpoints of the audit log. `GET /audit_logs/checkpoints`
   * Newest first. Every hour the service signs the sequence and hash of the newest record, if there is a new one.
   * Roles: owner, admin, auditor.
   * @see http://127.0.0.1:8080/docs#tag/audit-logs/GET/audit_logs/checkpoints
   */
  listCheckpoints(query?: Query<'listAuditCheckpoints'>, options?: CallOptions): PageCall<Item<'listAuditCheckpoints'>>
  /**
   * Export audit records. `GET /audit_logs/export`
   * Oldest first, streamed. The export is itself audited; its record is the last in the file.
   * Roles: owner, admin, auditor.
   * @see http://127.0.0.1:8080/docs#tag/audit-logs/GET/audit_logs/export
   */
  export(query?: Query<'exportAuditLogs'>, options?: CallOptions): Call<Response>
}

export interface Auth {
  /**
   * Log in. `POST /auth/login`
   * A token is valid for 24 hours. Repeated failures slow down further attempts from the same network.
   * No authentication required.
   * @see http://127.0.0.1:8080/docs#tag/auth/POST/auth/login
   */
  login(body: Body<'login'>, options?: WriteOptions): Call<Result<'login'>>
  /**
   * Log in: the second step. `POST /auth/login/verify`
   * Answers the challenge of `POST /auth/login`, which is open for 5 minutes and 5 tries, by one of its `methods`.
   * No authentication required.
   * @see http://127.0.0.1:8080/docs#tag/auth/POST/auth/login/verify
   */
  verifyLogin(body: Body<'verifyLogin'>, options?: WriteOptions): Call<Result<'verifyLogin'>>
  /**
   * Ask for what a passkey must sign. `POST /auth/passkey/options`
   * With the `challenge` of a login, for its second step; without, for a login by the passkey alone. Each answer is good once, for 5 minutes.
   * No authentication required.
   * @see http://127.0.0.1:8080/docs#tag/auth/POST/auth/passkey/options
   */
  getPasskeyOptions(body?: Body<'getPasskeyOptions'>, options?: WriteOptions): Call<Result<'getPasskeyOptions'>>
  /**
   * Log in by a passkey alone. `POST /auth/passkey/verify`
   * The passkey says who it is, and counts as both factors.
   * No authentication required.
   * @see http://127.0.0.1:8080/docs#tag/auth/POST/auth/passkey/verify
   */
  loginByPasskey(body: Body<'loginByPasskey'>, options?: WriteOptions): Call<Result<'loginByPasskey'>>
  /**
   * Renew the token. `POST /auth/refresh`
   * Returns a new token. The current one works for 60 more seconds; refreshing with it after that ends the session.
   * Any role.
   * @see http://127.0.0.1:8080/docs#tag/auth/POST/auth/refresh
   */
  refresh(options?: WriteOptions): Call<Result<'refresh'>>
  /**
   * Log out. `DELETE /auth/logout`
   * Ends the session and all of its tokens immediately.
   * Any role.
   * @see http://127.0.0.1:8080/docs#tag/auth/DELETE/auth/logout
   */
  logout(query?: Query<'logout'>, options?: WriteOptions): Call<Result<'logout'>>
  /**
   * Get the authenticated user or API key. `GET /auth/me`
   * Any role.
   * @see http://127.0.0.1:8080/docs#tag/auth/GET/auth/me
   */
  me(options?: CallOptions): Call<Result<'getMe'>>
  /**
   * List your sessions. `GET /auth/sessions`
   * Any role.
   * @see http://127.0.0.1:8080/docs#tag/auth/GET/auth/sessions
   */
  listSessions(query?: Query<'listSessions'>, options?: CallOptions): PageCall<Item<'listSessions'>>
  /**
   * End one of your sessions. `DELETE /auth/sessions/{id}`
   * Any role.
   * @see http://127.0.0.1:8080/docs#tag/auth/DELETE/auth/sessions/{id}
   */
  endSession(session: Target, options?: WriteOptions): WriteCall<Result<'endSession'>>
  /**
   * Change your password. `POST /auth/password`
   * Ends every other session of the user.
   * Any role.
   * @see http://127.0.0.1:8080/docs#tag/auth/POST/auth/password
   */
  changePassword(body: Body<'changePassword'>, options?: WriteOptions): WriteCall<Result<'changePassword'>>
  /**
   * Begin a login by a code. `POST /auth/login_code`
   * For programs without a browser: a person confirms the code in the console, within 10 minutes. One address may begin 30 a minute.
   * No authentication required.
   * @see http://127.0.0.1:8080/docs#tag/auth/POST/auth/login_code
   */
  beginLoginCode(options?: WriteOptions): Call<Result<'beginLoginCode'>>
  /**
   * Get the program that waits for a code. `GET /auth/login_code`
   * Any role.
   * @see http://127.0.0.1:8080/docs#tag/auth/GET/auth/login_code
   */
  getLoginCode(query?: Query<'getLoginCode'>, options?: CallOptions): Call<Result<'getLoginCode'>>
  /**
   * Claim a login by a code. `POST /auth/login_code/claim`
   * Ask again every `interval_seconds` while it is `waiting`. Once confirmed it answers the login, one time.
   * No authentication required.
   * @see http://127.0.0.1:8080/docs#tag/auth/POST/auth/login_code/claim
   */
  claimLoginCode(body: Body<'claimLoginCode'>, options?: WriteOptions): Call<Result<'claimLoginCode'>>
  /**
   * Log a program in by its code. `POST /auth/login_code/confirm`
   * It gets a session of yours. Confirm only what you have started yourself.
   * Any role.
   * @see http://127.0.0.1:8080/docs#tag/auth/POST/auth/login_code/confirm
   */
  confirmLoginCode(body: Body<'confirmLoginCode'>, options?: WriteOptions): Call<Result<'confirmLoginCode'>>
  /**
   * Refuse a program its login. `POST /auth/login_code/refuse`
   * Any role.
   * @see http://127.0.0.1:8080/docs#tag/auth/POST/auth/login_code/refuse
   */
  refuseLoginCode(body: Body<'refuseLoginCode'>, options?: WriteOptions): Call<Result<'refuseLoginCode'>>
  /**
   * List your second factors. `GET /auth/factors`
   * Any role.
   * @see http://127.0.0.1:8080/docs#tag/auth/GET/auth/factors
   */
  listFactors(query?: Query<'listFactors'>, options?: CallOptions): PageCall<Item<'listFactors'>>
  /**
   * Set up a second factor. `POST /auth/factors`
   * Time codes guard your logins once a first code has verified them, a passkey once the browser has made it of `options`, within 5 minutes. Recovery codes come with the first factor; made anew, they replace the former ones.
   * Any role.
   * @see http://127.0.0.1:8080/docs#tag/auth/POST/auth/factors
   */
  addFactor(body: Body<'addFactor'>, options?: WriteOptions): Call<Result<'addFactor'>>
  /**
   * Verify a second factor. `POST /auth/factors/{id}/verify`
   * From then on your logins ask for it. With the first factor you get ten recovery codes, which are shown once.
   * Any role.
   * @see http://127.0.0.1:8080/docs#tag/auth/POST/auth/factors/{id}/verify
   */
  verifyFactor(factor: Target, body?: Body<'verifyFactor'>, options?: WriteOptions): Call<Result<'verifyFactor'>>
  /**
   * Remove a second factor. `DELETE /auth/factors/{id}`
   * With the last one go the recovery codes, and logins ask for the password alone.
   * Any role.
   * @see http://127.0.0.1:8080/docs#tag/auth/DELETE/auth/factors/{id}
   */
  removeFactor(factor: Target, options?: WriteOptions): WriteCall<Result<'removeFactor'>>
  /**
   * Ask for a new password. `POST /auth/password/forgotten`
   * Mails a link that works once, for 30 minutes, if the address is of a member and the service sends mail. The answer is the same for every address.
   * No authentication required.
   * @see http://127.0.0.1:8080/docs#tag/auth/POST/auth/password/forgotten
   */
  forgotPassword(body: Body<'forgotPassword'>, options?: WriteOptions): Call<Result<'forgotPassword'>>
  /**
   * Set a new password by a link. `POST /auth/password/reset`
   * Ends all sessions of the person, who gets a mail about it. Who has a second factor sends its code as `otp`.
   * No authentication required.
   * @see http://127.0.0.1:8080/docs#tag/auth/POST/auth/password/reset
   */
  resetPassword(body: Body<'resetPassword'>, options?: WriteOptions): Call<Result<'resetPassword'>>
  /**
   * Ask whether an address logs in by single sign-on. `GET /auth/sso`
   * Goes by the domain of the address alone. `start_url` is for browsers: programs get no token there.
   * No authentication required.
   * @see http://127.0.0.1:8080/docs#tag/auth/GET/auth/sso
   */
  findSso(query?: Query<'findSso'>, options?: CallOptions): Call<Result<'findSso'>>
  /**
   * Get what you are notified. `GET /auth/me/notifications`
   * Mails about your own password, factors and address are always sent.
   * Any role.
   * @see http://127.0.0.1:8080/docs#tag/notifications/GET/auth/me/notifications
   */
  getNotificationSettings(options?: CallOptions): Call<Result<'getNotificationSettings'>>
  /**
   * Choose what you are notified. `PUT /auth/me/notifications`
   * A field left out is unchanged.
   * Any role.
   * @see http://127.0.0.1:8080/docs#tag/notifications/PUT/auth/me/notifications
   */
  updateNotificationSettings(body?: Body<'updateNotificationSettings'>, options?: WriteOptions): WriteCall<Result<'updateNotificationSettings'>>
}

export interface Campaigns {
  /**
   * Get results of a campaign. `GET /campaigns/{id}/results`
   * Days are those of its time zone. Sources are added up.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/results/GET/campaigns/{id}/results
   */
  getResults(campaign: Target, query?: Query<'getCampaignResults'>, options?: CallOptions): Call<Result<'getCampaignResults'>>
  /**
   * Get the deployment of a campaign. `GET /campaigns/{id}/deployment`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/deployments/GET/campaigns/{id}/deployment
   */
  getDeployment(campaign: Target, query?: Query<'getDeployment'>, options?: CallOptions): Call<Result<'getDeployment'>>
  /**
   * Deploy a campaign. `PUT /campaigns/{id}/deployment`
   * Has a connector run the campaign in its network, or changes how: omitted fields stay as they are. Nothing is sent before the campaign is launched.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/deployments/PUT/campaigns/{id}/deployment
   */
  putDeployment(campaign: Target, body: Body<'putDeployment'>, options?: WriteOptions): WriteCall<Result<'putDeployment'>>
  /**
   * Detach a campaign from its network. `DELETE /campaigns/{id}/deployment`
   * The object in the network is left as it is, and may go on to run.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/deployments/DELETE/campaigns/{id}/deployment
   */
  detachDeployment(campaign: Target, options?: WriteOptions): WriteCall<Result<'detachDeployment'>, Result<'getDeployment'>>
  /**
   * Check a deployment. `POST /campaigns/{id}/deployment/check`
   * Asks the connector to look at the object in the network soon.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/deployments/POST/campaigns/{id}/deployment/check
   */
  checkDeployment(campaign: Target, options?: WriteOptions): WriteCall<Result<'checkDeployment'>>
  /**
   * Try a deployment again. `POST /campaigns/{id}/deployment/retry`
   * At once, whatever failed or blocked it. What is `gone` from the network is created anew.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/deployments/POST/campaigns/{id}/deployment/retry
   */
  retryDeployment(campaign: Target, options?: WriteOptions): WriteCall<Result<'retryDeployment'>>
  /**
   * Overwrite what drifted. `POST /campaigns/{id}/deployment/overwrite`
   * Asks the connector to give the network the desired values again.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/deployments/POST/campaigns/{id}/deployment/overwrite
   */
  overwriteDeployment(campaign: Target, options?: WriteOptions): WriteCall<Result<'overwriteDeployment'>>
  /**
   * Adopt what drifted. `POST /campaigns/{id}/deployment/adopt`
   * The campaign takes over the values that were seen in the network, by the ordinary changes: guardrails and approvals hold. With `as=change_set` they are proposed instead: 201 with the change set.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/deployments/POST/campaigns/{id}/deployment/adopt
   */
  adoptDeployment(campaign: Target, query?: Query<'adoptDeployment'>, options?: WriteOptions): WriteCall<Result<'adoptDeployment'>>
  /**
   * Remove a deployment. `POST /campaigns/{id}/deployment/remove`
   * Asks the connector to end the object in the network, for good. DELETE leaves it as it is.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/deployments/POST/campaigns/{id}/deployment/remove
   */
  removeDeployment(campaign: Target, options?: WriteOptions): WriteCall<Result<'removeDeployment'>>
  /**
   * List campaigns. `GET /campaigns`
   * Archived campaigns are excluded unless `status` or `include_archived` selects them.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/GET/campaigns
   */
  list(query?: Query<'listCampaigns'>, options?: CallOptions): PageCall<Item<'listCampaigns'>>
  /**
   * Create a campaign. `POST /campaigns`
   * The campaign is created as a draft.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/POST/campaigns
   */
  create(body: Body<'createCampaign'>, options?: WriteOptions): WriteCall<Result<'createCampaign'>>
  /**
   * Export campaigns. `GET /campaigns/export`
   * Every matching campaign, newest first, streamed: one row each, as it is when it is read. NDJSON has whole objects.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/GET/campaigns/export
   */
  export(query?: Query<'exportCampaigns'>, options?: CallOptions): Call<Response>
  /**
   * Get a campaign. `GET /campaigns/{id}`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/GET/campaigns/{id}
   */
  get(campaign: Target, query?: Query<'getCampaign'>, options?: CallOptions): Call<Result<'getCampaign'>>
  /**
   * Update a campaign. `PUT /campaigns/{id}`
   * PUT and PATCH both merge: a sent field is set, null clears an optional field, an omitted field is unchanged. Which fields can change depends on the status; see GET /reference/campaign_states.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/PUT/campaigns/{id}
   */
  update(campaign: Target, body?: Body<'updateCampaign'>, options?: WriteOptions): WriteCall<Result<'updateCampaign'>>
  /**
   * Update a campaign. `PATCH /campaigns/{id}`
   * PUT and PATCH both merge: a sent field is set, null clears an optional field, an omitted field is unchanged. Which fields can change depends on the status; see GET /reference/campaign_states.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/PATCH/campaigns/{id}
   */
  patch(campaign: Target, body?: Body<'patchCampaign'>, options?: WriteOptions): WriteCall<Result<'patchCampaign'>>
  /**
   * Delete a campaign. `DELETE /campaigns/{id}`
   * Allowed in draft, paused, completed and archived, as long as it has no results.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/DELETE/campaigns/{id}
   */
  delete(campaign: Target, options?: WriteOptions): WriteCall<Result<'deleteCampaign'>, Result<'getCampaign'>>
  /**
   * Get the open windows of a campaign’s schedule. `GET /campaigns/{id}/schedule`
   * The windows of `schedule` as instants within `[from, to)`, which may be in the past. A campaign without a schedule has one window, the whole range.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/GET/campaigns/{id}/schedule
   */
  getSchedule(campaign: Target, query?: Query<'getCampaignSchedule'>, options?: CallOptions): Call<Result<'getCampaignSchedule'>>
  /**
   * List the versions of a campaign. `GET /campaigns/{id}/history`
   * Newest first: the state after each change, its time and its actor. Goes back as far as audit records are kept.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/GET/campaigns/{id}/history
   */
  getHistory(campaign: Target, query?: Query<'getCampaignHistory'>, options?: CallOptions): PageCall<Item<'getCampaignHistory'>>
  /**
   * Restore an earlier version of a campaign. `POST /campaigns/{id}/revert`
   * Validated like any other update: a field that cannot change now is refused. The status does not change.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/POST/campaigns/{id}/revert
   */
  revert(campaign: Target, body: Body<'revertCampaign'>, options?: WriteOptions): WriteCall<Result<'revertCampaign'>>
  /**
   * Say why the status of a campaign was changed. `PUT /campaigns/{id}/status_change`
   * Adds the reason to `status_change`, or replaces it, with an audit record of its own. For the one who changed the status, admins and owners; 404 while it was never changed.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/PUT/campaigns/{id}/status_change
   */
  explainStatus(campaign: Target, body: Body<'explainCampaignStatus'>, options?: WriteOptions): WriteCall<Result<'explainCampaignStatus'>>
  /**
   * Run up to 100 campaign operations. `POST /campaigns/bulk`
   * Each operation is validated and recorded, and emits events, like the corresponding single request. Mode partial returns 207; a failed operation does not affect the others.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/POST/campaigns/bulk
   */
  bulk(body: Body<'bulkCampaigns'>, options?: WriteOptions): WriteCall<Result<'bulkCampaigns'>>
  /**
   * Launch a campaign. `POST /campaigns/{id}/launch`
   * From draft. If the action has already taken effect, nothing changes.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/POST/campaigns/{id}/launch
   */
  launch(campaign: Target, options?: WriteOptions): WriteCall<Result<'launchCampaign'>>
  /**
   * Submit a campaign for approval. `POST /campaigns/{id}/submit`
   * From draft, paused.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/POST/campaigns/{id}/submit
   */
  submit(campaign: Target, options?: WriteOptions): WriteCall<Result<'submitCampaign'>>
  /**
   * Approve a campaign. `POST /campaigns/{id}/approve`
   * From pending_review. Requires `If-Match` with the version that was reviewed (in bulk.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/POST/campaigns/{id}/approve
   */
  approve(campaign: Target, options?: WriteOptions): WriteCall<Result<'approveCampaign'>>
  /**
   * Reject a campaign. `POST /campaigns/{id}/reject`
   * From pending_review.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/POST/campaigns/{id}/reject
   */
  reject(campaign: Target, body: Body<'rejectCampaign'>, options?: WriteOptions): WriteCall<Result<'rejectCampaign'>>
  /**
   * Withdraw a campaign from review. `POST /campaigns/{id}/withdraw`
   * From pending_review.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/POST/campaigns/{id}/withdraw
   */
  withdraw(campaign: Target, options?: WriteOptions): WriteCall<Result<'withdrawCampaign'>>
  /**
   * Unschedule a campaign. `POST /campaigns/{id}/unschedule`
   * From scheduled. If the action has already taken effect, nothing changes.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/POST/campaigns/{id}/unschedule
   */
  unschedule(campaign: Target, options?: WriteOptions): WriteCall<Result<'unscheduleCampaign'>>
  /**
   * Pause a campaign. `POST /campaigns/{id}/pause`
   * From scheduled, active. If the action has already taken effect, nothing changes.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/POST/campaigns/{id}/pause
   */
  pause(campaign: Target, options?: WriteOptions): WriteCall<Result<'pauseCampaign'>>
  /**
   * Resume a campaign. `POST /campaigns/{id}/resume`
   * From paused. If the action has already taken effect, nothing changes.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/POST/campaigns/{id}/resume
   */
  resume(campaign: Target, options?: WriteOptions): WriteCall<Result<'resumeCampaign'>>
  /**
   * Complete a campaign. `POST /campaigns/{id}/complete`
   * From scheduled, active, paused. If the action has already taken effect, nothing changes.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/POST/campaigns/{id}/complete
   */
  complete(campaign: Target, options?: WriteOptions): WriteCall<Result<'completeCampaign'>>
  /**
   * Archive a campaign. `POST /campaigns/{id}/archive`
   * From draft, paused, completed. If the action has already taken effect, nothing changes.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/POST/campaigns/{id}/archive
   */
  archive(campaign: Target, options?: WriteOptions): WriteCall<Result<'archiveCampaign'>>
  /**
   * Unarchive a campaign. `POST /campaigns/{id}/unarchive`
   * From archived. If the action has already taken effect, nothing changes.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/POST/campaigns/{id}/unarchive
   */
  unarchive(campaign: Target, options?: WriteOptions): WriteCall<Result<'unarchiveCampaign'>>
  /**
   * Get the pacing of a campaign. `GET /campaigns/{id}/pacing`
   * In any status, at this moment.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/GET/campaigns/{id}/pacing
   */
  getPacing(campaign: Target, options?: CallOptions): Call<Result<'getCampaignPacing'>>
  /**
   * Duplicate a campaign. `POST /campaigns/{id}/duplicate`
   * Creates a draft; fields of the body override the copied ones. `external_id` and the template are not copied.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/POST/campaigns/{id}/duplicate
   */
  duplicate(campaign: Target, body?: Body<'duplicateCampaign'>, options?: WriteOptions): WriteCall<Result<'duplicateCampaign'>>
  /**
   * Create a template from a campaign. `POST /campaigns/{id}/save_as_template`
   * The defaults are taken from the campaign’s objective, profile, budgets, currency, time zone, labels, metadata and notes, where set.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/templates/POST/campaigns/{id}/save_as_template
   */
  saveAsTemplate(campaign: Target, body: Body<'saveCampaignAsTemplate'>, options?: WriteOptions): WriteCall<Result<'saveCampaignAsTemplate'>>
}

export interface ChangeSets {
  /**
   * List change sets. `GET /change_sets`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/change-sets/GET/change_sets
   */
  list(query?: Query<'listChangeSets'>, options?: CallOptions): PageCall<Item<'listChangeSets'>>
  /**
   * Propose changes. `POST /change_sets`
   * Tries out up to 1,000 operations together, each seeing the effects of those before it, and stores them with what they would do. Returns 201 whatever the trial finds; operations that cannot be tried are 422, and nothing is stored.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/change-sets/POST/change_sets
   */
  propose(body: Body<'proposeChangeSet'> | Body<'proposeChangeSet'>['operations'], options?: WriteOptions): WriteCall<Result<'proposeChangeSet'>>
  /**
   * Propose changes from a spreadsheet. `POST /change_sets/from_csv`
   * Columns as in GET /campaigns/export. A blank cell leaves a field as it is, `[]` clears it; `version` is the expected version.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/change-sets/POST/change_sets/from_csv
   */
  proposeFromCsv(csv: string, query: Query<'proposeChangeSetFromCsv'>, options?: WriteOptions): WriteCall<Result<'proposeChangeSetFromCsv'>>
  /**
   * Get a change set. `GET /change_sets/{id}`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/change-sets/GET/change_sets/{id}
   */
  get(changeSet: Target, query?: Query<'getChangeSet'>, options?: CallOptions): Call<Result<'getChangeSet'>>
  /**
   * Update a change set. `PATCH /change_sets/{id}`
   * By its author, admins and owners. Voids an approval.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/change-sets/PATCH/change_sets/{id}
   */
  update(changeSet: Target, body?: Body<'updateChangeSet'>, options?: WriteOptions): WriteCall<Result<'updateChangeSet'>>
  /**
   * List the operations of a change set. `GET /change_sets/{id}/operations`
   * In the order in which they run, with what each would do or has done.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/change-sets/GET/change_sets/{id}/operations
   */
  listOperations(changeSet: Target, query?: Query<'listChangeSetOperations'>, options?: CallOptions): PageCall<Item<'listChangeSetOperations'>>
  /**
   * Approve a change set. `POST /change_sets/{id}/approve`
   * Requires `If-Match`, or `version`, with the version that was reviewed. Never by its author; the maker of an API key counts as its author.
   * Roles: owner, admin, editor. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/change-sets/POST/change_sets/{id}/approve
   */
  approve(changeSet: Target, body?: Body<'approveChangeSet'>, options?: WriteOptions): WriteCall<Result<'approveChangeSet'>>
  /**
   * Reject a change set. `POST /change_sets/{id}/reject`
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/change-sets/POST/change_sets/{id}/reject
   */
  reject(changeSet: Target, body: Body<'rejectChangeSet'>, options?: WriteOptions): WriteCall<Result<'rejectChangeSet'>>
  /**
   * Cancel a change set. `POST /change_sets/{id}/cancel`
   * By its author, admins and owners.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/change-sets/POST/change_sets/{id}/cancel
   */
  cancel(changeSet: Target, options?: WriteOptions): WriteCall<Result<'cancelChangeSet'>>
  /**
   * Try a change set out again. `POST /change_sets/{id}/refresh`
   * On what is there now. An approval is void if anything differs.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/change-sets/POST/change_sets/{id}/refresh
   */
  refresh(changeSet: Target, options?: WriteOptions): WriteCall<Result<'refreshChangeSet'>>
  /**
   * Apply a change set. `POST /change_sets/{id}/apply`
   * Does what its trial found, in one transaction, with the versions that the trial saw, or nothing (partial: operations whose objects have moved fail with `version_mismatch`). Applying it again changes nothing.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/change-sets/POST/change_sets/{id}/apply
   */
  apply(changeSet: Target, options?: WriteOptions): WriteCall<Result<'applyChangeSet'>>
}

export interface Clients {
  /**
   * Get the pacing of a client in a month. `GET /clients/{id}/pacing`
   * By currency: budget, plan and spending. It follows reports at once, and changes of campaigns within seconds.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/clients/GET/clients/{id}/pacing
   */
  getPacing(client: Target, query?: Query<'getClientPacing'>, options?: CallOptions): Call<Result<'getClientPacing'>>
  /**
   * List clients. `GET /clients`
   * Archived clients are excluded unless `status` or `include_archived` selects them.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/clients/GET/clients
   */
  list(query?: Query<'listClients'>, options?: CallOptions): PageCall<Item<'listClients'>>
  /**
   * Create a client. `POST /clients`
   * A client is whose money it is. A profile that names one that is not there makes it, too.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/clients/POST/clients
   */
  create(body: Body<'createClient'>, options?: WriteOptions): WriteCall<Result<'createClient'>>
  /**
   * Export clients. `GET /clients/export`
   * Every matching client, newest first, streamed, as campaigns are exported: NDJSON has whole objects, CSV their fields, lists and objects as JSON.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/clients/GET/clients/export
   */
  export(query?: Query<'exportClients'>, options?: CallOptions): Call<Response>
  /**
   * Get a client. `GET /clients/{id}`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/clients/GET/clients/{id}
   */
  get(client: Target, query?: Query<'getClient'>, options?: CallOptions): Call<Result<'getClient'>>
  /**
   * Update a client. `PUT /clients/{id}`
   * PUT and PATCH both merge: a sent field is set, null clears an optional field, an omitted field is unchanged. A new name is that of its profiles at once.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/clients/PUT/clients/{id}
   */
  update(client: Target, body?: Body<'updateClient'>, options?: WriteOptions): WriteCall<Result<'updateClient'>>
  /**
   * Update a client. `PATCH /clients/{id}`
   * PUT and PATCH both merge: a sent field is set, null clears an optional field, an omitted field is unchanged. A new name is that of its profiles at once.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/clients/PATCH/clients/{id}
   */
  patch(client: Target, body?: Body<'patchClient'>, options?: WriteOptions): WriteCall<Result<'patchClient'>>
  /**
   * Delete a client. `DELETE /clients/{id}`
   * Refused while profiles refer to it: archive it instead.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/clients/DELETE/clients/{id}
   */
  delete(client: Target, options?: WriteOptions): WriteCall<Result<'deleteClient'>, Result<'getClient'>>
  /**
   * List the budgets of a client by month. `GET /clients/{id}/budgets`
   * Months are those of the client’s time zone, else the organization’s. One without a budget has null amounts.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/clients/GET/clients/{id}/budgets
   */
  listBudgets(client: Target, query?: Query<'listClientBudgets'>, options?: CallOptions): Call<Result<'listClientBudgets'>>
  /**
   * Set the budget of a client in a month. `PUT /clients/{id}/budgets/{month}`
   * Replaces it as a whole: currencies that are left out have none.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/clients/PUT/clients/{id}/budgets/{month}
   */
  putBudget(client: Target, budget: Target, body: Body<'putClientBudget'>, options?: WriteOptions): WriteCall<Result<'putClientBudget'>>
  /**
   * Delete the budget of a client in a month. `DELETE /clients/{id}/budgets/{month}`
   * The month has none then: nothing stops, and pacing goes by what is planned.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/clients/DELETE/clients/{id}/budgets/{month}
   */
  deleteBudget(client: Target, budget: Target, options?: WriteOptions): WriteCall<Result<'deleteClientBudget'>>
  /**
   * List the versions of a client. `GET /clients/{id}/history`
   * Newest first: the state after each change, its time and its actor. Goes back as far as audit records are kept.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/clients/GET/clients/{id}/history
   */
  getHistory(client: Target, query?: Query<'getClientHistory'>, options?: CallOptions): PageCall<Item<'getClientHistory'>>
  /**
   * Restore an earlier version of a client. `POST /clients/{id}/revert`
   * Validated like any other update: a name that another client has now is refused. The status does not change.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/clients/POST/clients/{id}/revert
   */
  revert(client: Target, body: Body<'revertClient'>, options?: WriteOptions): WriteCall<Result<'revertClient'>>
}

export interface Connector {
  /**
   * Report what an account holds. `POST /connector/inventory`
   * What the calls up to a complete one do not name is gone. Linked ones count as observed.
   * Role: connector.
   * @see http://127.0.0.1:8080/docs#tag/connectors/POST/connector/inventory
   */
  takeInventory(body: Body<'takeConnectorInventory'>, options?: WriteOptions): Call<Result<'takeConnectorInventory'>>
  /**
   * Take or renew a lease. `POST /connector/leases`
   * Holds accounts for one process; the same key and instance renew. All or nothing: 409 `lease_held` where another holds one of them.
   * Role: connector.
   * @see http://127.0.0.1:8080/docs#tag/connectors/POST/connector/leases
   */
  takeLease(body: Body<'takeConnectorLease'>, options?: WriteOptions): Call<Result<'takeConnectorLease'>>
  /**
   * Let go of a lease. `DELETE /connector/leases/{id}`
   * Role: connector.
   * @see http://127.0.0.1:8080/docs#tag/connectors/DELETE/connector/leases/{id}
   */
  releaseLease(lease: Target, options?: WriteOptions): Call<Result<'releaseConnectorLease'>>
  /**
   * Ask for work. `GET /connector/work`
   * What is to be done in the accounts of the lease. An item is given again until it is reported.
   * Role: connector.
   * @see http://127.0.0.1:8080/docs#tag/connectors/GET/connector/work
   */
  getWork(query?: Query<'getConnectorWork'>, options?: CallOptions): Call<Result<'getConnectorWork'>>
  /**
   * Record a creation before it is made. `POST /connector/intents`
   * Role: connector.
   * @see http://127.0.0.1:8080/docs#tag/connectors/POST/connector/intents
   */
  recordIntent(body: Body<'recordConnectorIntent'>, options?: WriteOptions): Call<Result<'recordConnectorIntent'>>
  /**
   * Report work. `POST /connector/reports`
   * What became of up to 100 items, and what is known of the account. Under an older fence nothing is stored; of an older generation only what was observed.
   * Role: connector.
   * @see http://127.0.0.1:8080/docs#tag/connectors/POST/connector/reports
   */
  reportWork(body: Body<'reportConnectorWork'>, options?: WriteOptions): Call<Result<'reportConnectorWork'>>
}

export interface Deployments {
  /**
   * List deployments. `GET /deployments`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/deployments/GET/deployments
   */
  list(query?: Query<'listDeployments'>, options?: CallOptions): PageCall<Item<'listDeployments'>>
}

export interface EventTypes {
  /**
   * List event types with their whole schemas. `GET /event_types`
   * The same as GET /reference/events, with each schema in full: more than twice as long.
   * Any role but provisioner.
   * @see http://127.0.0.1:8080/docs#tag/events/GET/event_types
   */
  list(query?: Query<'listEventTypes'>, options?: CallOptions): Call<Result<'listEventTypes'>>
}

export interface Events {
  /**
   * List events. `GET /events`
   * Newest first; `sort=sequence` for oldest first. Events are kept for 30 days.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/events/GET/events
   */
  list(query?: Query<'listEvents'>, options?: CallOptions): PageCall<Item<'listEvents'>>
  /**
   * Stream events as they happen. `GET /events/stream`
   * Server-sent events (`text/event-stream`, UTF-8), each as it is committed.
   * ```text
id: evt_01m7ykxs9te009w20gdq6ytgpr
event: campaign.paused
data: {"id":"evt_01m7ykxs9te009w20gdq6ytgpr","type":"campaign.paused",…}
```
   * @see http://127.0.0.1:8080/docs#tag/events/GET/events/stream
   */
  stream(options?: StreamOptions): EventStream
  /**
   * Get an event. `GET /events/{id}`
   * Events of a resource require permission to read it: editors see no events of members, API keys, webhook endpoints and the organization’s guardrails.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/events/GET/events/{id}
   */
  get(event: Target, query?: Query<'getEvent'>, options?: CallOptions): Call<Result<'getEvent'>>
}

export interface Invitations {
  /**
   * List invitations. `GET /invitations`
   * Open ones, and expired ones of the last 30 days.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/invitations/GET/invitations
   */
  list(query?: Query<'listInvitations'>, options?: CallOptions): PageCall<Item<'listInvitations'>>
  /**
   * Invite a person. `POST /invitations`
   * Mails a link that works once, for 7 days; without mail the link is in `url`, for you to hand on. Only owners can invite owners.
   * Roles: owner, admin. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/invitations/POST/invitations
   */
  create(body: Body<'createInvitation'>, options?: WriteOptions): WriteCall<Result<'createInvitation'>>
  /**
   * Accept an invitation. `POST /invitations/accept`
   * Makes the person a member, and logs them in. Needs no credential but the link.
   * No authentication required.
   * @see http://127.0.0.1:8080/docs#tag/invitations/POST/invitations/accept
   */
  accept(body: Body<'acceptInvitation'>, options?: WriteOptions): Call<Result<'acceptInvitation'>>
  /**
   * Get an invitation. `GET /invitations/{id}`
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/invitations/GET/invitations/{id}
   */
  get(invitation: Target, query?: Query<'getInvitation'>, options?: CallOptions): Call<Result<'getInvitation'>>
  /**
   * Take an invitation back. `DELETE /invitations/{id}`
   * Roles: owner, admin. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/invitations/DELETE/invitations/{id}
   */
  delete(invitation: Target, options?: WriteOptions): WriteCall<Result<'deleteInvitation'>, Result<'getInvitation'>>
  /**
   * Send an invitation again. `POST /invitations/{id}/resend`
   * With a new link for another 7 days; the former one ends.
   * Roles: owner, admin. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/invitations/POST/invitations/{id}/resend
   */
  resend(invitation: Target, options?: WriteOptions): WriteCall<Result<'resendInvitation'>>
}

export interface Limits {
  /**
   * Get plan limits, usage and storage. `GET /limits`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/organization/GET/limits
   */
  get(options?: CallOptions): Call<Result<'getLimits'>>
}

export interface Members {
  /**
   * Remove the second factors of a member. `DELETE /members/{id}/factors`
   * For a member who has lost them, who gets a mail about it. Only owners can do so for owners.
   * Roles: owner, admin. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/auth/DELETE/members/{id}/factors
   */
  removeFactors(member: Target, options?: WriteOptions): Call<Result<'removeMemberFactors'>>
  /**
   * Send a member a link to set a password. `POST /members/{id}/password_reset`
   * Mails it; without mail the link is in `url`, for you to hand on, and works for 30 minutes. The password works until another is set.
   * Roles: owner, admin. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/auth/POST/members/{id}/password_reset
   */
  resetPassword(member: Target, options?: WriteOptions): Call<Result<'resetMemberPassword'>>
  /**
   * List members. `GET /members`
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/members/GET/members
   */
  list(query?: Query<'listMembers'>, options?: CallOptions): PageCall<Item<'listMembers'>>
  /**
   * Add a member. `POST /members`
   * Without a password one is generated and shown once, as `temporary_password`. Only owners can add owners.
   * Roles: owner, admin. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/members/POST/members
   */
  create(body: Body<'createMember'>, options?: WriteOptions): WriteCall<Result<'createMember'>>
  /**
   * Get a member. `GET /members/{id}`
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/members/GET/members/{id}
   */
  get(member: Target, query?: Query<'getMember'>, options?: CallOptions): Call<Result<'getMember'>>
  /**
   * Update a member. `PUT /members/{id}`
   * PUT and PATCH both merge. A new role applies to the next request; disabling ends all sessions of the user.
   * Roles: owner, admin. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/members/PUT/members/{id}
   */
  update(member: Target, body?: Body<'updateMember'>, options?: WriteOptions): WriteCall<Result<'updateMember'>>
  /**
   * Update a member. `PATCH /members/{id}`
   * PUT and PATCH both merge. A new role applies to the next request; disabling ends all sessions of the user.
   * Roles: owner, admin. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/members/PATCH/members/{id}
   */
  patch(member: Target, body?: Body<'patchMember'>, options?: WriteOptions): WriteCall<Result<'patchMember'>>
  /**
   * Delete a member. `DELETE /members/{id}`
   * The user’s sessions end immediately and the API keys the user created are revoked. Everything else the user created stays.
   * Roles: owner, admin. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/members/DELETE/members/{id}
   */
  delete(member: Target, options?: WriteOptions): WriteCall<Result<'deleteMember'>, Result<'getMember'>>
}

export interface NotificationChannels {
  /**
   * List notification channels. `GET /notification_channels`
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/notification-channels/GET/notification_channels
   */
  list(query?: Query<'listNotificationChannels'>, options?: CallOptions): PageCall<Item<'listNotificationChannels'>>
  /**
   * Create a notification channel. `POST /notification_channels`
   * No answer repeats the `target`, which is a secret, but for its origin. Of kind `webhook`, only this response contains the signing `secret`.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/notification-channels/POST/notification_channels
   */
  create(body: Body<'createNotificationChannel'>, options?: WriteOptions): WriteCall<Result<'createNotificationChannel'>>
  /**
   * Get a notification channel. `GET /notification_channels/{id}`
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/notification-channels/GET/notification_channels/{id}
   */
  get(notificationChannel: Target, query?: Query<'getNotificationChannel'>, options?: CallOptions): Call<Result<'getNotificationChannel'>>
  /**
   * Update a notification channel. `PATCH /notification_channels/{id}`
   * With `status` it is switched off, or on again without its failures. Another `target` begins without them, too.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/notification-channels/PATCH/notification_channels/{id}
   */
  update(notificationChannel: Target, body?: Body<'updateNotificationChannel'>, options?: WriteOptions): WriteCall<Result<'updateNotificationChannel'>>
  /**
   * Delete a notification channel. `DELETE /notification_channels/{id}`
   * What it has yet to be notified goes with it.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/notification-channels/DELETE/notification_channels/{id}
   */
  delete(notificationChannel: Target, options?: WriteOptions): WriteCall<Result<'deleteNotificationChannel'>, Result<'getNotificationChannel'>>
  /**
   * Send a test message. `POST /notification_channels/{id}/test`
   * At once, whatever it is notified of, even if it is disabled. Afterwards `last_success_at`, or `last_error`, shows what came of it.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/notification-channels/POST/notification_channels/{id}/test
   */
  test(notificationChannel: Target, options?: WriteOptions): WriteCall<Result<'testNotificationChannel'>>
}

export interface Notifications {
  /**
   * List your notifications. `GET /notifications`
   * Your inbox: the newest 1,000 of 90 days, of what you may see at present. `meta.unread` counts the unread ones.
   * Any role.
   * @see http://127.0.0.1:8080/docs#tag/notifications/GET/notifications
   */
  list(query?: Query<'listNotifications'>, options?: CallOptions): PageCall<Item<'listNotifications'>>
  /**
   * Mark a notification as read. `POST /notifications/{id}/read`
   * If it is read already, nothing changes.
   * Any role.
   * @see http://127.0.0.1:8080/docs#tag/notifications/POST/notifications/{id}/read
   */
  read(notification: Target, options?: WriteOptions): WriteCall<Result<'readNotification'>>
  /**
   * Mark all your notifications as read. `POST /notifications/read`
   * Any role.
   * @see http://127.0.0.1:8080/docs#tag/notifications/POST/notifications/read
   */
  readAll(options?: WriteOptions): WriteCall<Result<'readAllNotifications'>>
}

export interface Organization {
  /**
   * Get your organization. `GET /organization`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/organization/GET/organization
   */
  get(query?: Query<'getOrganization'>, options?: CallOptions): Call<Result<'getOrganization'>>
  /**
   * Update your organization. `PATCH /organization`
   * A sent field is set, an omitted field is unchanged. Only the operator can change the plan.
   * Role: owner.
   * @see http://127.0.0.1:8080/docs#tag/organization/PATCH/organization
   */
  update(body?: Body<'updateOrganization'>, options?: WriteOptions): WriteCall<Result<'updateOrganization'>>
  /**
   * Get your organization’s single sign-on. `GET /organization/sso`
   * Role: owner. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/organization/GET/organization/sso
   */
  getSso(query?: Query<'getSso'>, options?: CallOptions): Call<Result<'getSso'>>
  /**
   * Set up your organization’s single sign-on. `PUT /organization/sso`
   * Makes the settings, or changes them: a sent field is replaced as a whole, an omitted one is unchanged. Another `issuer` needs its `client_secret`, and its people are matched by their addresses anew.
   * Role: owner. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/organization/PUT/organization/sso
   */
  putSso(body?: Body<'putSso'>, options?: WriteOptions): WriteCall<Result<'putSso'>>
  /**
   * Delete your organization’s single sign-on. `DELETE /organization/sso`
   * Its domains go too. Members keep their accounts, and those without a password set one by `POST /auth/password/forgotten`.
   * Role: owner. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/organization/DELETE/organization/sso
   */
  deleteSso(options?: WriteOptions): WriteCall<Result<'deleteSso'>, Result<'getSso'>>
  /**
   * Test your organization’s single sign-on. `POST /organization/sso/test`
   * Reads the issuer’s configuration and keys, and asks its token endpoint whether client id and secret are right.
   * Role: owner. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/organization/POST/organization/sso/test
   */
  testSso(options?: WriteOptions): Call<Result<'testSso'>>
  /**
   * Verify a domain of your single sign-on. `POST /organization/sso/domains/{domain}/verify`
   * Looks for the domain’s `txt_record` in its DNS. Once proved, the domain belongs to your organization alone; if it is already proved, nothing changes.
   * Role: owner. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/organization/POST/organization/sso/domains/{domain}/verify
   */
  verifySsoDomain(domain: Target, options?: WriteOptions): Call<Result<'verifySsoDomain'>>
  /**
   * Get your organization’s guardrails. `GET /organization/guardrails`
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/organization/GET/organization/guardrails
   */
  getGuardrails(query?: Query<'getGuardrails'>, options?: CallOptions): Call<Result<'getGuardrails'>>
  /**
   * Update your organization’s guardrails. `PUT /organization/guardrails`
   * A sent field is replaced as a whole, null clears it, an omitted field is unchanged. Changes apply from the next request on; running campaigns continue.
   * Roles: owner, admin. API keys are refused regardless of role.
   * @see http://127.0.0.1:8080/docs#tag/organization/PUT/organization/guardrails
   */
  updateGuardrails(body?: Body<'updateGuardrails'>, options?: WriteOptions): WriteCall<Result<'updateGuardrails'>>
}

export interface Pacing {
  /**
   * List the pacing of campaigns. `GET /pacing`
   * Scheduled, active and paused campaigns. It follows changes of a campaign within a second.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/campaigns/GET/pacing
   */
  list(query?: Query<'listPacing'>, options?: CallOptions): PageCall<Item<'listPacing'>>
  /**
   * List the pacing of clients in a month. `GET /pacing/clients`
   * By client and currency, the most money at risk first. Order and the filter `status` follow within seconds.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/clients/GET/pacing/clients
   */
  listClient(query?: Query<'listClientPacing'>, options?: CallOptions): PageCall<Item<'listClientPacing'>>
}

export interface Profiles {
  /**
   * List what an account holds. `GET /profiles/{id}/network_campaigns`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/deployments/GET/profiles/{id}/network_campaigns
   */
  listNetworkCampaigns(profile: Target, query?: Query<'listNetworkCampaigns'>, options?: CallOptions): PageCall<Item<'listNetworkCampaigns'>>
  /**
   * Take over what an account holds. `POST /profiles/{id}/take_over`
   * Makes a campaign and a linked deployment of each, as it runs. What cannot be held exactly fails.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/deployments/POST/profiles/{id}/take_over
   */
  takeOverCampaigns(profile: Target, body: Body<'takeOverCampaigns'>, options?: WriteOptions): WriteCall<Result<'takeOverCampaigns'>>
  /**
   * Get the connection of a profile. `GET /profiles/{id}/connection`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/connectors/GET/profiles/{id}/connection
   */
  getConnection(profile: Target, options?: CallOptions): Call<Result<'getProfileConnection'>>
  /**
   * List profiles. `GET /profiles`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/profiles/GET/profiles
   */
  list(query?: Query<'listProfiles'>, options?: CallOptions): PageCall<Item<'listProfiles'>>
  /**
   * Create a profile. `POST /profiles`
   * A profile is the advertiser account that campaigns run under. It holds no platform password.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/profiles/POST/profiles
   */
  create(body: Body<'createProfile'>, options?: WriteOptions): WriteCall<Result<'createProfile'>>
  /**
   * Get a profile. `GET /profiles/{id}`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/profiles/GET/profiles/{id}
   */
  get(profile: Target, query?: Query<'getProfile'>, options?: CallOptions): Call<Result<'getProfile'>>
  /**
   * Update a profile. `PUT /profiles/{id}`
   * PUT and PATCH both merge: a sent field is set, null clears an optional field, an omitted field is unchanged. When it stops being active, its scheduled and active campaigns pause.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/profiles/PUT/profiles/{id}
   */
  update(profile: Target, body?: Body<'updateProfile'>, options?: WriteOptions): WriteCall<Result<'updateProfile'>>
  /**
   * Update a profile. `PATCH /profiles/{id}`
   * PUT and PATCH both merge: a sent field is set, null clears an optional field, an omitted field is unchanged. When it stops being active, its scheduled and active campaigns pause.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/profiles/PATCH/profiles/{id}
   */
  patch(profile: Target, body?: Body<'patchProfile'>, options?: WriteOptions): WriteCall<Result<'patchProfile'>>
  /**
   * Delete a profile. `DELETE /profiles/{id}`
   * Refused while campaigns refer to it: archive it instead.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/profiles/DELETE/profiles/{id}
   */
  delete(profile: Target, options?: WriteOptions): WriteCall<Result<'deleteProfile'>, Result<'getProfile'>>
  /**
   * List the versions of a profile. `GET /profiles/{id}/history`
   * Newest first: the state after each change, its time and its actor. Goes back as far as audit records are kept.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/profiles/GET/profiles/{id}/history
   */
  getHistory(profile: Target, query?: Query<'getProfileHistory'>, options?: CallOptions): PageCall<Item<'getProfileHistory'>>
  /**
   * Restore an earlier version of a profile. `POST /profiles/{id}/revert`
   * Validated like any other update: a field that cannot change now is refused. The status does not change.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/profiles/POST/profiles/{id}/revert
   */
  revert(profile: Target, body: Body<'revertProfile'>, options?: WriteOptions): WriteCall<Result<'revertProfile'>>
}

export interface Proxies {
  /**
   * List proxies. `GET /proxies`
   * Roles: owner, admin, editor, viewer.
   * @see http://127.0.0.1:8080/docs#tag/proxies/GET/proxies
   */
  list(query?: Query<'listProxies'>, options?: CallOptions): PageCall<Item<'listProxies'>>
  /**
   * Create a proxy. `POST /proxies`
   * Network egress for the traffic of profiles, from a fixed or regional address.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/proxies/POST/proxies
   */
  create(body: Body<'createProxy'>, options?: WriteOptions): WriteCall<Result<'createProxy'>>
  /**
   * Get a proxy. `GET /proxies/{id}`
   * Roles: owner, admin, editor, viewer.
   * @see http://127.0.0.1:8080/docs#tag/proxies/GET/proxies/{id}
   */
  get(proxy: Target, query?: Query<'getProxy'>, options?: CallOptions): Call<Result<'getProxy'>>
  /**
   * Update a proxy. `PUT /proxies/{id}`
   * PUT and PATCH both merge: a sent field is set, null clears an optional field, an omitted field is unchanged.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/proxies/PUT/proxies/{id}
   */
  update(proxy: Target, body?: Body<'updateProxy'>, options?: WriteOptions): WriteCall<Result<'updateProxy'>>
  /**
   * Update a proxy. `PATCH /proxies/{id}`
   * PUT and PATCH both merge: a sent field is set, null clears an optional field, an omitted field is unchanged.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/proxies/PATCH/proxies/{id}
   */
  patch(proxy: Target, body?: Body<'patchProxy'>, options?: WriteOptions): WriteCall<Result<'patchProxy'>>
  /**
   * Delete a proxy. `DELETE /proxies/{id}`
   * Refused while profiles use it.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/proxies/DELETE/proxies/{id}
   */
  delete(proxy: Target, options?: WriteOptions): WriteCall<Result<'deleteProxy'>, Result<'getProxy'>>
  /**
   * Reveal a proxy’s credentials. `POST /proxies/{id}/credentials`
   * Every access is recorded in the audit log. A replay under the same Idempotency-Key returns nulls.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/proxies/POST/proxies/{id}/credentials
   */
  revealCredentials(proxy: Target, options?: WriteOptions): Call<Result<'revealProxyCredentials'>>
  /**
   * Check a proxy. `POST /proxies/{id}/check`
   * Makes a request through the proxy, which takes at most 10 s, and returns 200 whatever the result: see `last_check`. Affects `status` like the periodic checks.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/proxies/POST/proxies/{id}/check
   */
  check(proxy: Target, options?: WriteOptions): Call<Result<'checkProxy'>>
}

export interface Reference {
  /**
   * List the states of deployments. `GET /reference/deployment_states`
   * Any role but provisioner.
   * @see http://127.0.0.1:8080/docs#tag/reference/GET/reference/deployment_states
   */
  listDeploymentStates(query?: Query<'listDeploymentStates'>, options?: CallOptions): Call<Result<'listDeploymentStates'>>
  /**
   * Get the campaign lifecycle. `GET /reference/campaign_states`
   * Any role but provisioner.
   * @see http://127.0.0.1:8080/docs#tag/reference/GET/reference/campaign_states
   */
  getCampaignStates(options?: CallOptions): Call<Result<'getCampaignStates'>>
  /**
   * List the objectives with each ad network’s names. `GET /reference/objectives`
   * Any role but provisioner.
   * @see http://127.0.0.1:8080/docs#tag/reference/GET/reference/objectives
   */
  listObjectives(query?: Query<'listObjectives'>, options?: CallOptions): Call<Result<'listObjectives'>>
  /**
   * List event types. `GET /reference/events`
   * Every event type, with the JSON Schema of its object and an example. New types may be added; ignore unknown ones.
   * Any role but provisioner.
   * @see http://127.0.0.1:8080/docs#tag/reference/GET/reference/events
   */
  getEvents(query?: Query<'getReferenceEvents'>, options?: CallOptions): Call<Result<'getReferenceEvents'>>
  /**
   * List currencies. `GET /reference/currencies`
   * Any role but provisioner.
   * @see http://127.0.0.1:8080/docs#tag/reference/GET/reference/currencies
   */
  listCurrencies(query?: Query<'listCurrencies'>, options?: CallOptions): Call<Result<'listCurrencies'>>
  /**
   * List error codes. `GET /reference/errors`
   * Any role but provisioner.
   * @see http://127.0.0.1:8080/docs#tag/reference/GET/reference/errors
   */
  listErrors(query?: Query<'listErrors'>, options?: CallOptions): Call<Result<'listErrors'>>
}

export interface Reports {
  /**
   * List reports. `GET /reports`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/reports/GET/reports
   */
  list(query?: Query<'listReports'>, options?: CallOptions): PageCall<Item<'listReports'>>
  /**
   * Create a report. `POST /reports`
   * Of one client, or of what a filter selects. A relative period moves on.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/reports/POST/reports
   */
  create(body: Body<'createReport'>, options?: WriteOptions): WriteCall<Result<'createReport'>>
  /**
   * Get a report. `GET /reports/{id}`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/reports/GET/reports/{id}
   */
  get(report: Target, query?: Query<'getReport'>, options?: CallOptions): Call<Result<'getReport'>>
  /**
   * Update a report. `PUT /reports/{id}`
   * PUT and PATCH both merge; a merge patch merges `filter` and `texts`, too.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/reports/PUT/reports/{id}
   */
  update(report: Target, body?: Body<'updateReport'>, options?: WriteOptions): WriteCall<Result<'updateReport'>>
  /**
   * Update a report. `PATCH /reports/{id}`
   * PUT and PATCH both merge; a merge patch merges `filter` and `texts`, too.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/reports/PATCH/reports/{id}
   */
  patch(report: Target, body?: Body<'patchReport'>, options?: WriteOptions): WriteCall<Result<'patchReport'>>
  /**
   * Delete a report. `DELETE /reports/{id}`
   * With its snapshots, links and schedules.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/reports/DELETE/reports/{id}
   */
  delete(report: Target, options?: WriteOptions): WriteCall<Result<'deleteReport'>, Result<'getReport'>>
  /**
   * Get a report with its figures. `GET /reports/{id}/data`
   * Its sections in order; currencies are never added up. `format=csv` has the figures as one table.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/reports/GET/reports/{id}/data
   */
  getData(report: Target, query: Query<'getReportData'> & { format: 'csv' }, options?: CallOptions): Call<Response>
  /**
   * Get a report with its figures. `GET /reports/{id}/data`
   * Its sections in order; currencies are never added up. `format=csv` has the figures as one table.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/reports/GET/reports/{id}/data
   */
  getData(report: Target, query?: Query<'getReportData'>, options?: CallOptions): Call<Result<'getReportData'>>
  /**
   * List the snapshots of a report. `GET /reports/{id}/snapshots`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/reports/GET/reports/{id}/snapshots
   */
  listSnapshots(report: Target, query?: Query<'listReportSnapshots'>, options?: CallOptions): PageCall<Item<'listReportSnapshots'>>
  /**
   * Freeze a report with its figures. `POST /reports/{id}/snapshots`
   * The snapshot stays as it is, whatever is reported or changed later.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/reports/POST/reports/{id}/snapshots
   */
  createSnapshot(report: Target, options?: WriteOptions): WriteCall<Result<'createReportSnapshot'>>
  /**
   * Get a snapshot of a report. `GET /reports/{id}/snapshots/{snapshot_id}`
   * As `GET /reports/:id/data` answered it then.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/reports/GET/reports/{id}/snapshots/{snapshot_id}
   */
  getSnapshot(report: Target, snapshot: Target, query: Query<'getReportSnapshot'> & { format: 'csv' }, options?: CallOptions): Call<Response>
  /**
   * Get a snapshot of a report. `GET /reports/{id}/snapshots/{snapshot_id}`
   * As `GET /reports/:id/data` answered it then.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/reports/GET/reports/{id}/snapshots/{snapshot_id}
   */
  getSnapshot(report: Target, snapshot: Target, query?: Query<'getReportSnapshot'>, options?: CallOptions): Call<Result<'getReportSnapshot'>>
  /**
   * Delete a snapshot of a report. `DELETE /reports/{id}/snapshots/{snapshot_id}`
   * One that a link shows cannot be: end the link first.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/reports/DELETE/reports/{id}/snapshots/{snapshot_id}
   */
  deleteSnapshot(report: Target, snapshot: Target, options?: WriteOptions): WriteCall<Result<'deleteReportSnapshot'>, Result<'getReportSnapshot'>>
  /**
   * List the links to a report. `GET /reports/{id}/links`
   * With how often each was opened; their addresses are not kept.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/reports/GET/reports/{id}/links
   */
  listLinks(report: Target, query?: Query<'listReportLinks'>, options?: CallOptions): PageCall<Item<'listReportLinks'>>
  /**
   * Make a link to a report. `POST /reports/{id}/links`
   * All who have its address see the report and nothing else, without an account. The address is shown once.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/reports/POST/reports/{id}/links
   */
  createLink(report: Target, body: Body<'createReportLink'>, options?: WriteOptions): WriteCall<Result<'createReportLink'>>
  /**
   * End a link to a report. `DELETE /reports/{id}/links/{link_id}`
   * Its address shows nothing any more.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/reports/DELETE/reports/{id}/links/{link_id}
   */
  deleteLink(report: Target, link: Target, options?: WriteOptions): WriteCall<Result<'deleteReportLink'>>
  /**
   * List the schedules of a report. `GET /reports/{id}/schedules`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/reports/GET/reports/{id}/schedules
   */
  listSchedules(report: Target, query?: Query<'listReportSchedules'>, options?: CallOptions): PageCall<Item<'listReportSchedules'>>
  /**
   * Mail a report every week or month. `POST /reports/{id}/schedules`
   * Each time a snapshot is made, and a link to it is mailed to each recipient. Needs the mail server of the service.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/reports/POST/reports/{id}/schedules
   */
  createSchedule(report: Target, body: Body<'createReportSchedule'>, options?: WriteOptions): WriteCall<Result<'createReportSchedule'>>
  /**
   * Get a schedule of a report. `GET /reports/{id}/schedules/{schedule_id}`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/reports/GET/reports/{id}/schedules/{schedule_id}
   */
  getSchedule(report: Target, schedule: Target, query?: Query<'getReportSchedule'>, options?: CallOptions): Call<Result<'getReportSchedule'>>
  /**
   * Update a schedule of a report. `PATCH /reports/{id}/schedules/{schedule_id}`
   * With `status` it is switched off, or on again: from then on it sends with the rights of who has switched it on.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/reports/PATCH/reports/{id}/schedules/{schedule_id}
   */
  updateSchedule(report: Target, schedule: Target, body?: Body<'updateReportSchedule'>, options?: WriteOptions): WriteCall<Result<'updateReportSchedule'>>
  /**
   * Delete a schedule of a report. `DELETE /reports/{id}/schedules/{schedule_id}`
   * Links that it has mailed stay.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/reports/DELETE/reports/{id}/schedules/{schedule_id}
   */
  deleteSchedule(report: Target, schedule: Target, options?: WriteOptions): WriteCall<Result<'deleteReportSchedule'>, Result<'getReportSchedule'>>
  /**
   * Mail a report now. `POST /reports/{id}/schedules/{schedule_id}/send`
   * To the recipients of the schedule, also if it is disabled; `next_at` stays.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/reports/POST/reports/{id}/schedules/{schedule_id}/send
   */
  sendSchedule(report: Target, schedule: Target, options?: WriteOptions): WriteCall<Result<'sendReportSchedule'>>
  /**
   * Get the page of a report. `GET /reports/{id}/page`
   * As a link opens it.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/reports/GET/reports/{id}/page
   */
  getPage(report: Target, options?: CallOptions): Call<Result<'getReportPage'>>
  /**
   * Preview changes of a report. `POST /reports/{id}/preview`
   * Its page as it would be with these changes, which are not kept.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/reports/POST/reports/{id}/preview
   */
  preview(report: Target, body?: Body<'previewReport'>, options?: WriteOptions): Call<Result<'previewReport'>>
  /**
   * Get the page of a snapshot of a report. `GET /reports/{id}/snapshots/{snapshot_id}/page`
   * The page of the report as it was.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/reports/GET/reports/{id}/snapshots/{snapshot_id}/page
   */
  getSnapshotPage(report: Target, snapshot: Target, options?: CallOptions): Call<Result<'getReportSnapshotPage'>>
}

export interface Results {
  /**
   * Report results. `POST /results`
   * The figures of up to 1,000 days of campaigns, as totals: reports may be repeated and arrive in any order. Rows succeed or fail one by one; a failed one has a `problem`, such as `row_final` or `results_source_taken`.
   * Roles: owner, admin, editor, reporter, connector.
   * @see http://127.0.0.1:8080/docs#tag/results/POST/results
   */
  report(body: Body<'reportResults'>, options?: WriteOptions): WriteCall<Result<'reportResults'>>
  /**
   * Sum up results. `GET /results`
   * Never adds up currencies. Ratios are null where they are not defined.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/results/GET/results
   */
  list(query?: Query<'listResults'>, options?: CallOptions): PageCall<Item<'listResults'>>
  /**
   * List sources of results. `GET /results/sources`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/results/GET/results/sources
   */
  listSources(query?: Query<'listResultSources'>, options?: CallOptions): PageCall<Item<'listResultSources'>>
  /**
   * Delete a source of results. `DELETE /results/sources/{source}`
   * Deletes all that the source has reported, or what it has reported of some campaigns. Sums, pacing and caps follow at once; what a cap has paused can then be resumed.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/results/DELETE/results/sources/{source}
   */
  deleteSource(source: Target, query?: Query<'deleteResultSource'>, options?: WriteOptions): WriteCall<Result<'deleteResultSource'>>
  /**
   * Export results. `GET /results/export`
   * Every matching day, streamed: by campaign, day and source, with the fields of a report. As with other exports one runs per organization.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/results/GET/results/export
   */
  export(query?: Query<'exportResults'>, options?: CallOptions): Call<Response>
}

export interface Sandbox {
  /**
   * Get the sandbox’s clock. `GET /sandbox`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/sandbox/GET/sandbox
   */
  get(query?: Query<'getSandbox'>, options?: CallOptions): Call<Result<'getSandbox'>>
  /**
   * Reset the sandbox. `DELETE /sandbox`
   * Deletes report schedules, report links, report snapshots, report logos, reports, results, result months, result days, result labels, result source totals, result sources, change set operations, change sets, network campaigns, former objects, deployments, connections, connector leases, campaign counts, campaign pacing, campaign performance, campaign metrics, client pacing, client pacing due, campaigns, profiles, client budgets, clients, proxies, templates, events, deliveries and idempotency keys, and returns the clock to real time. `If-Match` takes the version of the organization.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/sandbox/DELETE/sandbox
   */
  reset(options?: WriteOptions): WriteCall<Result<'resetSandbox'>, Result<'getSandbox'>>
  /**
   * Move the sandbox’s clock forward. `POST /sandbox/clock`
   * To a time or by a number of seconds; the clock keeps running from there. Campaigns, schedules, dayparting, delivery retries and timestamps follow within about a second; tokens, API keys and limits use real time.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/sandbox/POST/sandbox/clock
   */
  moveClock(body?: Body<'moveSandboxClock'>, options?: WriteOptions): WriteCall<Result<'moveSandboxClock'>>
}

export interface Templates {
  /**
   * List templates. `GET /templates`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/templates/GET/templates
   */
  list(query?: Query<'listTemplates'>, options?: CallOptions): PageCall<Item<'listTemplates'>>
  /**
   * Create a template. `POST /templates`
   * A preset for campaigns: fields omitted in POST /campaigns come from its `defaults`; `locked_fields` cannot be overridden.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/templates/POST/templates
   */
  create(body: Body<'createTemplate'>, options?: WriteOptions): WriteCall<Result<'createTemplate'>>
  /**
   * Get a template. `GET /templates/{id}`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/templates/GET/templates/{id}
   */
  get(template: Target, query?: Query<'getTemplate'>, options?: CallOptions): Call<Result<'getTemplate'>>
  /**
   * Update a template. `PUT /templates/{id}`
   * PUT and PATCH both merge; `defaults` is replaced as a whole, or merged by a merge patch. Existing campaigns are not affected.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/templates/PUT/templates/{id}
   */
  update(template: Target, body?: Body<'updateTemplate'>, options?: WriteOptions): WriteCall<Result<'updateTemplate'>>
  /**
   * Update a template. `PATCH /templates/{id}`
   * PUT and PATCH both merge; `defaults` is replaced as a whole, or merged by a merge patch. Existing campaigns are not affected.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/templates/PATCH/templates/{id}
   */
  patch(template: Target, body?: Body<'patchTemplate'>, options?: WriteOptions): WriteCall<Result<'patchTemplate'>>
  /**
   * Delete a template. `DELETE /templates/{id}`
   * Existing campaigns are not affected.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/templates/DELETE/templates/{id}
   */
  delete(template: Target, options?: WriteOptions): WriteCall<Result<'deleteTemplate'>, Result<'getTemplate'>>
  /**
   * List the versions of a template. `GET /templates/{id}/history`
   * Newest first: the state after each change, its time and its actor. Goes back as far as audit records are kept.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/templates/GET/templates/{id}/history
   */
  getHistory(template: Target, query?: Query<'getTemplateHistory'>, options?: CallOptions): PageCall<Item<'getTemplateHistory'>>
  /**
   * Restore an earlier version of a template. `POST /templates/{id}/revert`
   * Validated like any other update: a field that cannot change now is refused. Existing campaigns are not affected.
   * Roles: owner, admin, editor.
   * @see http://127.0.0.1:8080/docs#tag/templates/POST/templates/{id}/revert
   */
  revert(template: Target, body: Body<'revertTemplate'>, options?: WriteOptions): WriteCall<Result<'revertTemplate'>>
}

export interface Views {
  /**
   * List views. `GET /views`
   * Shared ones and your own. With a scope: your own.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/views/GET/views
   */
  list(query?: Query<'listViews'>, options?: CallOptions): PageCall<Item<'listViews'>>
  /**
   * Save a view. `POST /views`
   * For yourself (at most 100), or with `shared` for the organization. The console opens it by `?view=` and its id.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/views/POST/views
   */
  create(body: Body<'createView'>, options?: WriteOptions): WriteCall<Result<'createView'>>
  /**
   * Get a view. `GET /views/{id}`
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/views/GET/views/{id}
   */
  get(view: Target, query?: Query<'getView'>, options?: CallOptions): Call<Result<'getView'>>
  /**
   * Update a view. `PATCH /views/{id}`
   * Shared views are changed by their authors, admins and owners. `resource` stays as it is.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/views/PATCH/views/{id}
   */
  update(view: Target, body?: Body<'updateView'>, options?: WriteOptions): WriteCall<Result<'updateView'>>
  /**
   * Delete a view. `DELETE /views/{id}`
   * Shared views are deleted by their authors, admins and owners.
   * Any role but reporter.
   * @see http://127.0.0.1:8080/docs#tag/views/DELETE/views/{id}
   */
  delete(view: Target, options?: WriteOptions): WriteCall<Result<'deleteView'>, Result<'getView'>>
}

export interface WebhookDeliveries {
  /**
   * List the deliveries to all webhook endpoints. `GET /webhook_deliveries`
   * Deliveries of the last 30 days and their outcome: of one event with `event_id`, or what failed anywhere with `status=failed`.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/webhook-endpoints/GET/webhook_deliveries
   */
  listAll(query?: Query<'listAllWebhookDeliveries'>, options?: CallOptions): PageCall<Item<'listAllWebhookDeliveries'>>
}

export interface WebhookEndpoints {
  /**
   * List webhook endpoints. `GET /webhook_endpoints`
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/webhook-endpoints/GET/webhook_endpoints
   */
  list(query?: Query<'listWebhookEndpoints'>, options?: CallOptions): PageCall<Item<'listWebhookEndpoints'>>
  /**
   * Create a webhook endpoint. `POST /webhook_endpoints`
   * Only this response contains the signing `secret`. A host name that resolves to a forbidden address is refused; one that does not resolve yet is accepted.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/webhook-endpoints/POST/webhook_endpoints
   */
  create(body: Body<'createWebhookEndpoint'>, options?: WriteOptions): WriteCall<Result<'createWebhookEndpoint'>>
  /**
   * Get a webhook endpoint. `GET /webhook_endpoints/{id}`
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/webhook-endpoints/GET/webhook_endpoints/{id}
   */
  get(webhookEndpoint: Target, query?: Query<'getWebhookEndpoint'>, options?: CallOptions): Call<Result<'getWebhookEndpoint'>>
  /**
   * Update a webhook endpoint. `PATCH /webhook_endpoints/{id}`
   * A sent field is set, null clears an optional field, an omitted field is unchanged. The secret stays.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/webhook-endpoints/PATCH/webhook_endpoints/{id}
   */
  update(webhookEndpoint: Target, body?: Body<'updateWebhookEndpoint'>, options?: WriteOptions): WriteCall<Result<'updateWebhookEndpoint'>>
  /**
   * Delete a webhook endpoint. `DELETE /webhook_endpoints/{id}`
   * Deletes its log, too.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/webhook-endpoints/DELETE/webhook_endpoints/{id}
   */
  delete(webhookEndpoint: Target, options?: WriteOptions): WriteCall<Result<'deleteWebhookEndpoint'>, Result<'getWebhookEndpoint'>>
  /**
   * Rotate the signing secret of a webhook endpoint. `POST /webhook_endpoints/{id}/rotate_secret`
   * Only this response contains the new `secret`. Previous secrets also sign until their grace periods end.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/webhook-endpoints/POST/webhook_endpoints/{id}/rotate_secret
   */
  rotateSecret(webhookEndpoint: Target, body?: Body<'rotateWebhookEndpointSecret'>, options?: WriteOptions): WriteCall<Result<'rotateWebhookEndpointSecret'>>
  /**
   * Enable a webhook endpoint. `POST /webhook_endpoints/{id}/enable`
   * Clears its failures. Use `recover` to resend missed deliveries.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/webhook-endpoints/POST/webhook_endpoints/{id}/enable
   */
  enable(webhookEndpoint: Target, options?: WriteOptions): WriteCall<Result<'enableWebhookEndpoint'>>
  /**
   * Disable a webhook endpoint. `POST /webhook_endpoints/{id}/disable`
   * Pending and future deliveries are recorded as skipped. If it is already disabled, nothing changes.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/webhook-endpoints/POST/webhook_endpoints/{id}/disable
   */
  disable(webhookEndpoint: Target, options?: WriteOptions): WriteCall<Result<'disableWebhookEndpoint'>>
  /**
   * Send a test event to a webhook endpoint. `POST /webhook_endpoints/{id}/test`
   * Sends `webhook_endpoint.test` to this endpoint only, whatever its `events` and even if it is disabled. The event has `test: true`, is not in `/events` and has no sequence.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/webhook-endpoints/POST/webhook_endpoints/{id}/test
   */
  test(webhookEndpoint: Target, options?: WriteOptions): WriteCall<Result<'testWebhookEndpoint'>>
  /**
   * Recover missed deliveries of a webhook endpoint. `POST /webhook_endpoints/{id}/recover`
   * Resends every failed or skipped delivery of the period, with a full retry schedule. Tests and pending deliveries are not resent.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/webhook-endpoints/POST/webhook_endpoints/{id}/recover
   */
  recover(webhookEndpoint: Target, body: Body<'recoverWebhookEndpoint'>, options?: WriteOptions): WriteCall<Result<'recoverWebhookEndpoint'>>
  /**
   * List the deliveries to a webhook endpoint. `GET /webhook_endpoints/{id}/deliveries`
   * Deliveries of the last 30 days and their outcome.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/webhook-endpoints/GET/webhook_endpoints/{id}/deliveries
   */
  listDeliveries(webhookEndpoint: Target, query?: Query<'listWebhookDeliveries'>, options?: CallOptions): PageCall<Item<'listWebhookDeliveries'>>
  /**
   * Get a delivery and its attempts. `GET /webhook_endpoints/{id}/deliveries/{delivery_id}`
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/webhook-endpoints/GET/webhook_endpoints/{id}/deliveries/{delivery_id}
   */
  getDelivery(webhookEndpoint: Target, delivery: Target, query?: Query<'getWebhookDelivery'>, options?: CallOptions): Call<Result<'getWebhookDelivery'>>
  /**
   * Resend a delivery. `POST /webhook_endpoints/{id}/deliveries/{delivery_id}/redeliver`
   * Works whatever its outcome and even if the endpoint is disabled; a pending delivery is sent immediately. 404 also if its event is no longer stored.
   * Roles: owner, admin.
   * @see http://127.0.0.1:8080/docs#tag/webhook-endpoints/POST/webhook_endpoints/{id}/deliveries/{delivery_id}/redeliver
   */
  redeliver(webhookEndpoint: Target, delivery: Target, options?: WriteOptions): WriteCall<Result<'redeliverWebhookDelivery'>>
}

/** The methods of the API by resource. */
export interface Resources {
  readonly apiKeys: ApiKeys
  readonly auditLogs: AuditLogs
  readonly auth: Auth
  readonly campaigns: Campaigns
  readonly changeSets: ChangeSets
  readonly clients: Clients
  readonly connector: Connector
  readonly deployments: Deployments
  readonly eventTypes: EventTypes
  readonly events: Events
  readonly invitations: Invitations
  readonly limits: Limits
  readonly members: Members
  readonly notificationChannels: NotificationChannels
  readonly notifications: Notifications
  readonly organization: Organization
  readonly pacing: Pacing
  readonly profiles: Profiles
  readonly proxies: Proxies
  readonly reference: Reference
  readonly reports: Reports
  readonly results: Results
  readonly sandbox: Sandbox
  readonly templates: Templates
  readonly views: Views
  readonly webhookDeliveries: WebhookDeliveries
  readonly webhookEndpoints: WebhookEndpoints
}
