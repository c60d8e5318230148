// Made by "npm run generate" from openapi.json.
import type { Call, PageCall, WriteCall } from './call.ts'
import type { CallOptions, Target, WriteOptions } from './options.ts'
import type { Body, Item, Query, Result } from './operation-types.ts'
import type { EventStream, StreamOptions } from './stream.ts'

export interface ApiKeys {
  /** List API keys. `GET /api_keys` */
  list(query?: Query<'listApiKeys'>, options?: CallOptions): PageCall<Item<'listApiKeys'>>
  /** Create an API key. `POST /api_keys` */
  create(body: Body<'createApiKey'>, options?: WriteOptions): WriteCall<Result<'createApiKey'>>
  /** Get an API key. `GET /api_keys/{id}` */
  get(apiKey: Target, query?: Query<'getApiKey'>, options?: CallOptions): Call<Result<'getApiKey'>>
  /** Delete an API key. `DELETE /api_keys/{id}` */
  delete(apiKey: Target, options?: WriteOptions): WriteCall<Result<'deleteApiKey'>, Result<'getApiKey'>>
}

export interface AuditLogs {
  /** List audit records. `GET /audit_logs` */
  list(query?: Query<'listAuditLogs'>, options?: CallOptions): PageCall<Item<'listAuditLogs'>>
  /** Verify the audit log. `GET /audit_logs/verify` */
  verify(query?: Query<'verifyAuditLogs'>, options?: CallOptions): Call<Result<'verifyAuditLogs'>>
  /** List signed checkpoints of the audit log. `GET /audit_logs/checkpoints` */
  listCheckpoints(query?: Query<'listAuditCheckpoints'>, options?: CallOptions): PageCall<Item<'listAuditCheckpoints'>>
  /** Export audit records. `GET /audit_logs/export` */
  export(query?: Query<'exportAuditLogs'>, options?: CallOptions): Call<Response>
}

export interface Auth {
  /** Log in. `POST /auth/login` */
  login(body: Body<'login'>, options?: WriteOptions): Call<Result<'login'>>
  /** Renew the token. `POST /auth/refresh` */
  refresh(options?: WriteOptions): Call<Result<'refresh'>>
  /** Log out. `DELETE /auth/logout` */
  logout(query?: Query<'logout'>, options?: WriteOptions): Call<Result<'logout'>>
  /** Get the authenticated user or API key. `GET /auth/me` */
  me(options?: CallOptions): Call<Result<'getMe'>>
  /** List your sessions. `GET /auth/sessions` */
  listSessions(query?: Query<'listSessions'>, options?: CallOptions): PageCall<Item<'listSessions'>>
  /** End one of your sessions. `DELETE /auth/sessions/{id}` */
  endSession(session: Target, options?: WriteOptions): WriteCall<Result<'endSession'>>
  /** Change your password. `POST /auth/password` */
  changePassword(body: Body<'changePassword'>, options?: WriteOptions): WriteCall<Result<'changePassword'>>
}

export interface Campaigns {
  /** Get results of a campaign. `GET /campaigns/{id}/results` */
  getResults(campaign: Target, query?: Query<'getCampaignResults'>, options?: CallOptions): Call<Result<'getCampaignResults'>>
  /** List campaigns. `GET /campaigns` */
  list(query?: Query<'listCampaigns'>, options?: CallOptions): PageCall<Item<'listCampaigns'>>
  /** Create a campaign. `POST /campaigns` */
  create(body: Body<'createCampaign'>, options?: WriteOptions): WriteCall<Result<'createCampaign'>>
  /** Export campaigns. `GET /campaigns/export` */
  export(query?: Query<'exportCampaigns'>, options?: CallOptions): Call<Response>
  /** Get a campaign. `GET /campaigns/{id}` */
  get(campaign: Target, query?: Query<'getCampaign'>, options?: CallOptions): Call<Result<'getCampaign'>>
  /** Update a campaign. `PUT /campaigns/{id}` */
  update(campaign: Target, body?: Body<'updateCampaign'>, options?: WriteOptions): WriteCall<Result<'updateCampaign'>>
  /** Update a campaign. `PATCH /campaigns/{id}` */
  patch(campaign: Target, body?: Body<'patchCampaign'>, options?: WriteOptions): WriteCall<Result<'patchCampaign'>>
  /** Delete a campaign. `DELETE /campaigns/{id}` */
  delete(campaign: Target, options?: WriteOptions): WriteCall<Result<'deleteCampaign'>, Result<'getCampaign'>>
  /** Get the open windows of a campaign’s schedule. `GET /campaigns/{id}/schedule` */
  getSchedule(campaign: Target, query?: Query<'getCampaignSchedule'>, options?: CallOptions): Call<Result<'getCampaignSchedule'>>
  /** List the versions of a campaign. `GET /campaigns/{id}/history` */
  getHistory(campaign: Target, query?: Query<'getCampaignHistory'>, options?: CallOptions): PageCall<Item<'getCampaignHistory'>>
  /** Restore an earlier version of a campaign. `POST /campaigns/{id}/revert` */
  revert(campaign: Target, body: Body<'revertCampaign'>, options?: WriteOptions): WriteCall<Result<'revertCampaign'>>
  /** Say why the status of a campaign was changed. `PUT /campaigns/{id}/status_change` */
  explainStatus(campaign: Target, body: Body<'explainCampaignStatus'>, options?: WriteOptions): WriteCall<Result<'explainCampaignStatus'>>
  /** Run up to 100 campaign operations. `POST /campaigns/bulk` */
  bulk(body: Body<'bulkCampaigns'>, options?: WriteOptions): WriteCall<Result<'bulkCampaigns'>>
  /** Launch a campaign. `POST /campaigns/{id}/launch` */
  launch(campaign: Target, options?: WriteOptions): WriteCall<Result<'launchCampaign'>>
  /** Submit a campaign for approval. `POST /campaigns/{id}/submit` */
  submit(campaign: Target, options?: WriteOptions): WriteCall<Result<'submitCampaign'>>
  /** Approve a campaign. `POST /campaigns/{id}/approve` */
  approve(campaign: Target, options?: WriteOptions): WriteCall<Result<'approveCampaign'>>
  /** Reject a campaign. `POST /campaigns/{id}/reject` */
  reject(campaign: Target, body: Body<'rejectCampaign'>, options?: WriteOptions): WriteCall<Result<'rejectCampaign'>>
  /** Withdraw a campaign from review. `POST /campaigns/{id}/withdraw` */
  withdraw(campaign: Target, options?: WriteOptions): WriteCall<Result<'withdrawCampaign'>>
  /** Unschedule a campaign. `POST /campaigns/{id}/unschedule` */
  unschedule(campaign: Target, options?: WriteOptions): WriteCall<Result<'unscheduleCampaign'>>
  /** Pause a campaign. `POST /campaigns/{id}/pause` */
  pause(campaign: Target, options?: WriteOptions): WriteCall<Result<'pauseCampaign'>>
  /** Resume a campaign. `POST /campaigns/{id}/resume` */
  resume(campaign: Target, options?: WriteOptions): WriteCall<Result<'resumeCampaign'>>
  /** Complete a campaign. `POST /campaigns/{id}/complete` */
  complete(campaign: Target, options?: WriteOptions): WriteCall<Result<'completeCampaign'>>
  /** Archive a campaign. `POST /campaigns/{id}/archive` */
  archive(campaign: Target, options?: WriteOptions): WriteCall<Result<'archiveCampaign'>>
  /** Unarchive a campaign. `POST /campaigns/{id}/unarchive` */
  unarchive(campaign: Target, options?: WriteOptions): WriteCall<Result<'unarchiveCampaign'>>
  /** Get the pacing of a campaign. `GET /campaigns/{id}/pacing` */
  getPacing(campaign: Target, options?: CallOptions): Call<Result<'getCampaignPacing'>>
  /** Duplicate a campaign. `POST /campaigns/{id}/duplicate` */
  duplicate(campaign: Target, body?: Body<'duplicateCampaign'>, options?: WriteOptions): WriteCall<Result<'duplicateCampaign'>>
  /** Create a template from a campaign. `POST /campaigns/{id}/save_as_template` */
  saveAsTemplate(campaign: Target, body: Body<'saveCampaignAsTemplate'>, options?: WriteOptions): WriteCall<Result<'saveCampaignAsTemplate'>>
}

export interface ChangeSets {
  /** List change sets. `GET /change_sets` */
  list(query?: Query<'listChangeSets'>, options?: CallOptions): PageCall<Item<'listChangeSets'>>
  /** Propose changes. `POST /change_sets` */
  propose(body: Body<'proposeChangeSet'> | Body<'proposeChangeSet'>['operations'], options?: WriteOptions): WriteCall<Result<'proposeChangeSet'>>
  /** Propose changes from a spreadsheet. `POST /change_sets/from_csv` */
  proposeFromCsv(csv: string, query: Query<'proposeChangeSetFromCsv'>, options?: WriteOptions): WriteCall<Result<'proposeChangeSetFromCsv'>>
  /** Get a change set. `GET /change_sets/{id}` */
  get(changeSet: Target, query?: Query<'getChangeSet'>, options?: CallOptions): Call<Result<'getChangeSet'>>
  /** Update a change set. `PATCH /change_sets/{id}` */
  update(changeSet: Target, body?: Body<'updateChangeSet'>, options?: WriteOptions): WriteCall<Result<'updateChangeSet'>>
  /** List the operations of a change set. `GET /change_sets/{id}/operations` */
  listOperations(changeSet: Target, query?: Query<'listChangeSetOperations'>, options?: CallOptions): PageCall<Item<'listChangeSetOperations'>>
  /** Approve a change set. `POST /change_sets/{id}/approve` */
  approve(changeSet: Target, body?: Body<'approveChangeSet'>, options?: WriteOptions): WriteCall<Result<'approveChangeSet'>>
  /** Reject a change set. `POST /change_sets/{id}/reject` */
  reject(changeSet: Target, body: Body<'rejectChangeSet'>, options?: WriteOptions): WriteCall<Result<'rejectChangeSet'>>
  /** Cancel a change set. `POST /change_sets/{id}/cancel` */
  cancel(changeSet: Target, options?: WriteOptions): WriteCall<Result<'cancelChangeSet'>>
  /** Try a change set out again. `POST /change_sets/{id}/refresh` */
  refresh(changeSet: Target, options?: WriteOptions): WriteCall<Result<'refreshChangeSet'>>
  /** Apply a change set. `POST /change_sets/{id}/apply` */
  apply(changeSet: Target, options?: WriteOptions): WriteCall<Result<'applyChangeSet'>>
}

export interface EventTypes {
  /** List event types with their whole schemas. `GET /event_types` */
  list(query?: Query<'listEventTypes'>, options?: CallOptions): Call<Result<'listEventTypes'>>
}

export interface Events {
  /** List events. `GET /events` */
  list(query?: Query<'listEvents'>, options?: CallOptions): PageCall<Item<'listEvents'>>
  /** Stream events as they happen. `GET /events/stream` */
  stream(options?: StreamOptions): EventStream
  /** Get an event. `GET /events/{id}` */
  get(event: Target, query?: Query<'getEvent'>, options?: CallOptions): Call<Result<'getEvent'>>
}

export interface Limits {
  /** Get plan limits, usage and storage. `GET /limits` */
  get(options?: CallOptions): Call<Result<'getLimits'>>
}

export interface Members {
  /** List members. `GET /members` */
  list(query?: Query<'listMembers'>, options?: CallOptions): PageCall<Item<'listMembers'>>
  /** Add a member. `POST /members` */
  create(body: Body<'createMember'>, options?: WriteOptions): WriteCall<Result<'createMember'>>
  /** Get a member. `GET /members/{id}` */
  get(member: Target, query?: Query<'getMember'>, options?: CallOptions): Call<Result<'getMember'>>
  /** Update a member. `PUT /members/{id}` */
  update(member: Target, body?: Body<'updateMember'>, options?: WriteOptions): WriteCall<Result<'updateMember'>>
  /** Update a member. `PATCH /members/{id}` */
  patch(member: Target, body?: Body<'patchMember'>, options?: WriteOptions): WriteCall<Result<'patchMember'>>
  /** Delete a member. `DELETE /members/{id}` */
  delete(member: Target, options?: WriteOptions): WriteCall<Result<'deleteMember'>, Result<'getMember'>>
}

export interface Organization {
  /** Get your organization. `GET /organization` */
  get(query?: Query<'getOrganization'>, options?: CallOptions): Call<Result<'getOrganization'>>
  /** Update your organization. `PATCH /organization` */
  update(body?: Body<'updateOrganization'>, options?: WriteOptions): WriteCall<Result<'updateOrganization'>>
  /** Get your organization’s guardrails. `GET /organization/guardrails` */
  getGuardrails(query?: Query<'getGuardrails'>, options?: CallOptions): Call<Result<'getGuardrails'>>
  /** Update your organization’s guardrails. `PUT /organization/guardrails` */
  updateGuardrails(body?: Body<'updateGuardrails'>, options?: WriteOptions): WriteCall<Result<'updateGuardrails'>>
}

export interface Pacing {
  /** List the pacing of campaigns. `GET /pacing` */
  list(query?: Query<'listPacing'>, options?: CallOptions): PageCall<Item<'listPacing'>>
}

export interface Profiles {
  /** List profiles. `GET /profiles` */
  list(query?: Query<'listProfiles'>, options?: CallOptions): PageCall<Item<'listProfiles'>>
  /** Create a profile. `POST /profiles` */
  create(body: Body<'createProfile'>, options?: WriteOptions): WriteCall<Result<'createProfile'>>
  /** Get a profile. `GET /profiles/{id}` */
  get(profile: Target, query?: Query<'getProfile'>, options?: CallOptions): Call<Result<'getProfile'>>
  /** Update a profile. `PUT /profiles/{id}` */
  update(profile: Target, body?: Body<'updateProfile'>, options?: WriteOptions): WriteCall<Result<'updateProfile'>>
  /** Update a profile. `PATCH /profiles/{id}` */
  patch(profile: Target, body?: Body<'patchProfile'>, options?: WriteOptions): WriteCall<Result<'patchProfile'>>
  /** Delete a profile. `DELETE /profiles/{id}` */
  delete(profile: Target, options?: WriteOptions): WriteCall<Result<'deleteProfile'>, Result<'getProfile'>>
  /** List the versions of a profile. `GET /profiles/{id}/history` */
  getHistory(profile: Target, query?: Query<'getProfileHistory'>, options?: CallOptions): PageCall<Item<'getProfileHistory'>>
  /** Restore an earlier version of a profile. `POST /profiles/{id}/revert` */
  revert(profile: Target, body: Body<'revertProfile'>, options?: WriteOptions): WriteCall<Result<'revertProfile'>>
}

export interface Proxies {
  /** List proxies. `GET /proxies` */
  list(query?: Query<'listProxies'>, options?: CallOptions): PageCall<Item<'listProxies'>>
  /** Create a proxy. `POST /proxies` */
  create(body: Body<'createProxy'>, options?: WriteOptions): WriteCall<Result<'createProxy'>>
  /** Get a proxy. `GET /proxies/{id}` */
  get(proxy: Target, query?: Query<'getProxy'>, options?: CallOptions): Call<Result<'getProxy'>>
  /** Update a proxy. `PUT /proxies/{id}` */
  update(proxy: Target, body?: Body<'updateProxy'>, options?: WriteOptions): WriteCall<Result<'updateProxy'>>
  /** Update a proxy. `PATCH /proxies/{id}` */
  patch(proxy: Target, body?: Body<'patchProxy'>, options?: WriteOptions): WriteCall<Result<'patchProxy'>>
  /** Delete a proxy. `DELETE /proxies/{id}` */
  delete(proxy: Target, options?: WriteOptions): WriteCall<Result<'deleteProxy'>, Result<'getProxy'>>
  /** Reveal a proxy’s credentials. `POST /proxies/{id}/credentials` */
  revealCredentials(proxy: Target, options?: WriteOptions): Call<Result<'revealProxyCredentials'>>
  /** Check a proxy. `POST /proxies/{id}/check` */
  check(proxy: Target, options?: WriteOptions): Call<Result<'checkProxy'>>
}

export interface Reference {
  /** Get the campaign lifecycle. `GET /reference/campaign_states` */
  getCampaignStates(options?: CallOptions): Call<Result<'getCampaignStates'>>
  /** List the objectives with each ad network’s names. `GET /reference/objectives` */
  listObjectives(query?: Query<'listObjectives'>, options?: CallOptions): Call<Result<'listObjectives'>>
  /** List event types. `GET /reference/events` */
  getEvents(query?: Query<'getReferenceEvents'>, options?: CallOptions): Call<Result<'getReferenceEvents'>>
  /** List currencies. `GET /reference/currencies` */
  listCurrencies(query?: Query<'listCurrencies'>, options?: CallOptions): Call<Result<'listCurrencies'>>
  /** List error codes. `GET /reference/errors` */
  listErrors(query?: Query<'listErrors'>, options?: CallOptions): Call<Result<'listErrors'>>
}

export interface Results {
  /** Report results. `POST /results` */
  report(body: Body<'reportResults'>, options?: WriteOptions): WriteCall<Result<'reportResults'>>
  /** Sum up results. `GET /results` */
  list(query?: Query<'listResults'>, options?: CallOptions): PageCall<Item<'listResults'>>
  /** List sources of results. `GET /results/sources` */
  listSources(query?: Query<'listResultSources'>, options?: CallOptions): PageCall<Item<'listResultSources'>>
  /** Delete a source of results. `DELETE /results/sources/{source}` */
  deleteSource(source: Target, query?: Query<'deleteResultSource'>, options?: WriteOptions): WriteCall<Result<'deleteResultSource'>>
  /** Export results. `GET /results/export` */
  export(query?: Query<'exportResults'>, options?: CallOptions): Call<Response>
}

export interface Sandbox {
  /** Get the sandbox’s clock. `GET /sandbox` */
  get(query?: Query<'getSandbox'>, options?: CallOptions): Call<Result<'getSandbox'>>
  /** Reset the sandbox. `DELETE /sandbox` */
  reset(options?: WriteOptions): WriteCall<Result<'resetSandbox'>, Result<'getSandbox'>>
  /** Move the sandbox’s clock forward. `POST /sandbox/clock` */
  moveClock(body?: Body<'moveSandboxClock'>, options?: WriteOptions): WriteCall<Result<'moveSandboxClock'>>
}

export interface Templates {
  /** List templates. `GET /templates` */
  list(query?: Query<'listTemplates'>, options?: CallOptions): PageCall<Item<'listTemplates'>>
  /** Create a template. `POST /templates` */
  create(body: Body<'createTemplate'>, options?: WriteOptions): WriteCall<Result<'createTemplate'>>
  /** Get a template. `GET /templates/{id}` */
  get(template: Target, query?: Query<'getTemplate'>, options?: CallOptions): Call<Result<'getTemplate'>>
  /** Update a template. `PUT /templates/{id}` */
  update(template: Target, body?: Body<'updateTemplate'>, options?: WriteOptions): WriteCall<Result<'updateTemplate'>>
  /** Update a template. `PATCH /templates/{id}` */
  patch(template: Target, body?: Body<'patchTemplate'>, options?: WriteOptions): WriteCall<Result<'patchTemplate'>>
  /** Delete a template. `DELETE /templates/{id}` */
  delete(template: Target, options?: WriteOptions): WriteCall<Result<'deleteTemplate'>, Result<'getTemplate'>>
  /** List the versions of a template. `GET /templates/{id}/history` */
  getHistory(template: Target, query?: Query<'getTemplateHistory'>, options?: CallOptions): PageCall<Item<'getTemplateHistory'>>
  /** Restore an earlier version of a template. `POST /templates/{id}/revert` */
  revert(template: Target, body: Body<'revertTemplate'>, options?: WriteOptions): WriteCall<Result<'revertTemplate'>>
}

export interface WebhookDeliveries {
  /** List the deliveries to all webhook endpoints. `GET /webhook_deliveries` */
  listAll(query?: Query<'listAllWebhookDeliveries'>, options?: CallOptions): PageCall<Item<'listAllWebhookDeliveries'>>
}

export interface WebhookEndpoints {
  /** List webhook endpoints. `GET /webhook_endpoints` */
  list(query?: Query<'listWebhookEndpoints'>, options?: CallOptions): PageCall<Item<'listWebhookEndpoints'>>
  /** Create a webhook endpoint. `POST /webhook_endpoints` */
  create(body: Body<'createWebhookEndpoint'>, options?: WriteOptions): WriteCall<Result<'createWebhookEndpoint'>>
  /** Get a webhook endpoint. `GET /webhook_endpoints/{id}` */
  get(webhookEndpoint: Target, query?: Query<'getWebhookEndpoint'>, options?: CallOptions): Call<Result<'getWebhookEndpoint'>>
  /** Update a webhook endpoint. `PATCH /webhook_endpoints/{id}` */
  update(webhookEndpoint: Target, body?: Body<'updateWebhookEndpoint'>, options?: WriteOptions): WriteCall<Result<'updateWebhookEndpoint'>>
  /** Delete a webhook endpoint. `DELETE /webhook_endpoints/{id}` */
  delete(webhookEndpoint: Target, options?: WriteOptions): WriteCall<Result<'deleteWebhookEndpoint'>, Result<'getWebhookEndpoint'>>
  /** Rotate the signing secret of a webhook endpoint. `POST /webhook_endpoints/{id}/rotate_secret` */
  rotateSecret(webhookEndpoint: Target, body?: Body<'rotateWebhookEndpointSecret'>, options?: WriteOptions): WriteCall<Result<'rotateWebhookEndpointSecret'>>
  /** Enable a webhook endpoint. `POST /webhook_endpoints/{id}/enable` */
  enable(webhookEndpoint: Target, options?: WriteOptions): WriteCall<Result<'enableWebhookEndpoint'>>
  /** Disable a webhook endpoint. `POST /webhook_endpoints/{id}/disable` */
  disable(webhookEndpoint: Target, options?: WriteOptions): WriteCall<Result<'disableWebhookEndpoint'>>
  /** Send a test event to a webhook endpoint. `POST /webhook_endpoints/{id}/test` */
  test(webhookEndpoint: Target, options?: WriteOptions): WriteCall<Result<'testWebhookEndpoint'>>
  /** Recover missed deliveries of a webhook endpoint. `POST /webhook_endpoints/{id}/recover` */
  recover(webhookEndpoint: Target, body: Body<'recoverWebhookEndpoint'>, options?: WriteOptions): WriteCall<Result<'recoverWebhookEndpoint'>>
  /** List the deliveries to a webhook endpoint. `GET /webhook_endpoints/{id}/deliveries` */
  listDeliveries(webhookEndpoint: Target, query?: Query<'listWebhookDeliveries'>, options?: CallOptions): PageCall<Item<'listWebhookDeliveries'>>
  /** Get a delivery and its attempts. `GET /webhook_endpoints/{id}/deliveries/{delivery_id}` */
  getDelivery(webhookEndpoint: Target, delivery: Target, query?: Query<'getWebhookDelivery'>, options?: CallOptions): Call<Result<'getWebhookDelivery'>>
  /** Resend a delivery. `POST /webhook_endpoints/{id}/deliveries/{delivery_id}/redeliver` */
  redeliver(webhookEndpoint: Target, delivery: Target, options?: WriteOptions): WriteCall<Result<'redeliverWebhookDelivery'>>
}

/** The methods of the API by resource. */
export interface Resources {
  readonly apiKeys: ApiKeys
  readonly auditLogs: AuditLogs
  readonly auth: Auth
  readonly campaigns: Campaigns
  readonly changeSets: ChangeSets
  readonly eventTypes: EventTypes
  readonly events: Events
  readonly limits: Limits
  readonly members: Members
  readonly organization: Organization
  readonly pacing: Pacing
  readonly profiles: Profiles
  readonly proxies: Proxies
  readonly reference: Reference
  readonly results: Results
  readonly sandbox: Sandbox
  readonly templates: Templates
  readonly webhookDeliveries: WebhookDeliveries
  readonly webhookEndpoints: WebhookEndpoints
}
