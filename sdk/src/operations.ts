// Made by "npm run generate" from openapi.json.
/** Parameters of one text; the others take several values. */
export const texts: readonly string[] = ['cursor', 'code', 'q', 'email', 'time_zone', 'campaign_id', 'title', 'lease_id', 'daily_budget_min', 'daily_budget_max', 'metric.spend_min', 'metric.spend_max', 'metric.impressions_min', 'metric.impressions_max', 'metric.clicks_min', 'metric.clicks_max', 'metric.conversions_min', 'metric.conversions_max', 'metric.ctr_min', 'metric.ctr_max', 'metric.cpc_min', 'metric.cpc_max', 'metric.cpm_min', 'metric.cpm_max', 'metric.cpa_min', 'metric.cpa_max', 'metric.roas_min', 'metric.roas_max', 'month', 'from', 'to']

/** The methods of each resource, a line each, as `operationIn()` reads them. */
export const operations: Readonly<Record<string, string>> = {
  apiKeys: `
list GET /api_keys query list
create POST /api_keys body
get GET /api_keys/{id} query
delete DELETE /api_keys/{id} versioned
stop POST /api_keys/{id}/stop body versioned
resume POST /api_keys/{id}/resume versioned
getAgent GET /api_keys/{id}/agent
`,
  auditLogs: `
list GET /audit_logs query list
verify GET /audit_logs/verify query
listCheckpoints GET /audit_logs/checkpoints query list
export GET /audit_logs/export query raw
`,
  auth: `
login POST /auth/login body
verifyLogin POST /auth/login/verify body
getPasskeyOptions POST /auth/passkey/options body
loginByPasskey POST /auth/passkey/verify body
refresh POST /auth/refresh
logout DELETE /auth/logout query
me GET /auth/me
listSessions GET /auth/sessions query list
endSession DELETE /auth/sessions/{id}
changePassword POST /auth/password body
beginLoginCode POST /auth/login_code
getLoginCode GET /auth/login_code query
claimLoginCode POST /auth/login_code/claim body
confirmLoginCode POST /auth/login_code/confirm body
refuseLoginCode POST /auth/login_code/refuse body
listFactors GET /auth/factors query list
addFactor POST /auth/factors body
verifyFactor POST /auth/factors/{id}/verify body
removeFactor DELETE /auth/factors/{id}
forgotPassword POST /auth/password/forgotten body
resetPassword POST /auth/password/reset body
findSso GET /auth/sso query
getNotificationSettings GET /auth/me/notifications
updateNotificationSettings PUT /auth/me/notifications body
`,
  campaigns: `
getResults GET /campaigns/{id}/results query
getDeployment GET /campaigns/{id}/deployment query
putDeployment PUT /campaigns/{id}/deployment body versioned
detachDeployment DELETE /campaigns/{id}/deployment versioned
checkDeployment POST /campaigns/{id}/deployment/check versioned
retryDeployment POST /campaigns/{id}/deployment/retry versioned
overwriteDeployment POST /campaigns/{id}/deployment/overwrite versioned
adoptDeployment POST /campaigns/{id}/deployment/adopt query versioned
removeDeployment POST /campaigns/{id}/deployment/remove versioned
list GET /campaigns query list
create POST /campaigns body
export GET /campaigns/export query raw
get GET /campaigns/{id} query
update PUT /campaigns/{id} body versioned
patch PATCH /campaigns/{id} body versioned
delete DELETE /campaigns/{id} versioned
getSchedule GET /campaigns/{id}/schedule query
getHistory GET /campaigns/{id}/history query list
revert POST /campaigns/{id}/revert body versioned
explainStatus PUT /campaigns/{id}/status_change body versioned
bulk POST /campaigns/bulk body
launch POST /campaigns/{id}/launch versioned
submit POST /campaigns/{id}/submit versioned
approve POST /campaigns/{id}/approve versioned
reject POST /campaigns/{id}/reject body versioned
withdraw POST /campaigns/{id}/withdraw versioned
unschedule POST /campaigns/{id}/unschedule versioned
pause POST /campaigns/{id}/pause versioned
resume POST /campaigns/{id}/resume versioned
complete POST /campaigns/{id}/complete versioned
archive POST /campaigns/{id}/archive versioned
unarchive POST /campaigns/{id}/unarchive versioned
getPacing GET /campaigns/{id}/pacing
duplicate POST /campaigns/{id}/duplicate body
saveAsTemplate POST /campaigns/{id}/save_as_template body
`,
  changeSets: `
list GET /change_sets query list
propose POST /change_sets body of=operations
proposeFromCsv POST /change_sets/from_csv csv
get GET /change_sets/{id} query
update PATCH /change_sets/{id} body versioned
listOperations GET /change_sets/{id}/operations query list
approve POST /change_sets/{id}/approve body versioned
reject POST /change_sets/{id}/reject body versioned
cancel POST /change_sets/{id}/cancel versioned
refresh POST /change_sets/{id}/refresh versioned
apply POST /change_sets/{id}/apply versioned
`,
  clients: `
getPacing GET /clients/{id}/pacing query
list GET /clients query list
create POST /clients body
export GET /clients/export query raw
get GET /clients/{id} query
update PUT /clients/{id} body versioned
patch PATCH /clients/{id} body versioned
delete DELETE /clients/{id} versioned
listBudgets GET /clients/{id}/budgets query
putBudget PUT /clients/{id}/budgets/{month} body versioned
deleteBudget DELETE /clients/{id}/budgets/{month} versioned
getHistory GET /clients/{id}/history query list
revert POST /clients/{id}/revert body versioned
`,
  connector: `
takeInventory POST /connector/inventory body
takeLease POST /connector/leases body
releaseLease DELETE /connector/leases/{id}
getWork GET /connector/work query
recordIntent POST /connector/intents body
reportWork POST /connector/reports body
`,
  deployments: `
list GET /deployments query list
`,
  eventTypes: `
list GET /event_types query
`,
  events: `
list GET /events query list
stream GET /events/stream query stream
get GET /events/{id} query
`,
  invitations: `
list GET /invitations query list
create POST /invitations body
accept POST /invitations/accept body
get GET /invitations/{id} query
delete DELETE /invitations/{id} versioned
resend POST /invitations/{id}/resend versioned
`,
  limits: `
get GET /limits
`,
  members: `
removeFactors DELETE /members/{id}/factors
resetPassword POST /members/{id}/password_reset
list GET /members query list
create POST /members body
get GET /members/{id} query
update PUT /members/{id} body versioned
patch PATCH /members/{id} body versioned
delete DELETE /members/{id} versioned
`,
  notificationChannels: `
list GET /notification_channels query list
create POST /notification_channels body
get GET /notification_channels/{id} query
update PATCH /notification_channels/{id} body versioned
delete DELETE /notification_channels/{id} versioned
test POST /notification_channels/{id}/test versioned
`,
  notifications: `
list GET /notifications query list
read POST /notifications/{id}/read
readAll POST /notifications/read
`,
  organization: `
get GET /organization query
update PATCH /organization body versioned
getSso GET /organization/sso query
putSso PUT /organization/sso body versioned
deleteSso DELETE /organization/sso versioned
testSso POST /organization/sso/test
verifySsoDomain POST /organization/sso/domains/{domain}/verify versioned
getGuardrails GET /organization/guardrails query
updateGuardrails PUT /organization/guardrails body versioned
`,
  pacing: `
list GET /pacing query list
listClient GET /pacing/clients query list
`,
  profiles: `
listNetworkCampaigns GET /profiles/{id}/network_campaigns query list
takeOverCampaigns POST /profiles/{id}/take_over body
getConnection GET /profiles/{id}/connection
list GET /profiles query list
create POST /profiles body
get GET /profiles/{id} query
update PUT /profiles/{id} body versioned
patch PATCH /profiles/{id} body versioned
delete DELETE /profiles/{id} versioned
getHistory GET /profiles/{id}/history query list
revert POST /profiles/{id}/revert body versioned
`,
  proxies: `
list GET /proxies query list
create POST /proxies body
get GET /proxies/{id} query
update PUT /proxies/{id} body versioned
patch PATCH /proxies/{id} body versioned
delete DELETE /proxies/{id} versioned
revealCredentials POST /proxies/{id}/credentials
check POST /proxies/{id}/check versioned
`,
  reference: `
listDeploymentStates GET /reference/deployment_states query
getCampaignStates GET /reference/campaign_states
listObjectives GET /reference/objectives query
getEvents GET /reference/events query
listCurrencies GET /reference/currencies query
listErrors GET /reference/errors query
`,
  reports: `
list GET /reports query list
create POST /reports body
get GET /reports/{id} query
update PUT /reports/{id} body versioned
patch PATCH /reports/{id} body versioned
delete DELETE /reports/{id} versioned
getData GET /reports/{id}/data query
listSnapshots GET /reports/{id}/snapshots query list
createSnapshot POST /reports/{id}/snapshots versioned
getSnapshot GET /reports/{id}/snapshots/{snapshot_id} query
deleteSnapshot DELETE /reports/{id}/snapshots/{snapshot_id}
listLinks GET /reports/{id}/links query list
createLink POST /reports/{id}/links body versioned
deleteLink DELETE /reports/{id}/links/{link_id} versioned
listSchedules GET /reports/{id}/schedules query list
createSchedule POST /reports/{id}/schedules body versioned
getSchedule GET /reports/{id}/schedules/{schedule_id} query
updateSchedule PATCH /reports/{id}/schedules/{schedule_id} body versioned
deleteSchedule DELETE /reports/{id}/schedules/{schedule_id} versioned
sendSchedule POST /reports/{id}/schedules/{schedule_id}/send versioned
getPage GET /reports/{id}/page
preview POST /reports/{id}/preview body
getSnapshotPage GET /reports/{id}/snapshots/{snapshot_id}/page
`,
  results: `
report POST /results body
list GET /results query list
listSources GET /results/sources query list
deleteSource DELETE /results/sources/{source} query
export GET /results/export query raw
`,
  sandbox: `
get GET /sandbox query
reset DELETE /sandbox versioned
moveClock POST /sandbox/clock body versioned
`,
  templates: `
list GET /templates query list
create POST /templates body
get GET /templates/{id} query
update PUT /templates/{id} body versioned
patch PATCH /templates/{id} body versioned
delete DELETE /templates/{id} versioned
getHistory GET /templates/{id}/history query list
revert POST /templates/{id}/revert body versioned
`,
  views: `
list GET /views query list
create POST /views body
get GET /views/{id} query
update PATCH /views/{id} body versioned
delete DELETE /views/{id} versioned
`,
  webhookDeliveries: `
listAll GET /webhook_deliveries query list
`,
  webhookEndpoints: `
list GET /webhook_endpoints query list
create POST /webhook_endpoints body
get GET /webhook_endpoints/{id} query
update PATCH /webhook_endpoints/{id} body versioned
delete DELETE /webhook_endpoints/{id} versioned
rotateSecret POST /webhook_endpoints/{id}/rotate_secret body versioned
enable POST /webhook_endpoints/{id}/enable versioned
disable POST /webhook_endpoints/{id}/disable versioned
test POST /webhook_endpoints/{id}/test versioned
recover POST /webhook_endpoints/{id}/recover body versioned
listDeliveries GET /webhook_endpoints/{id}/deliveries query list
getDelivery GET /webhook_endpoints/{id}/deliveries/{delivery_id} query
redeliver POST /webhook_endpoints/{id}/deliveries/{delivery_id}/redeliver versioned
`,
}
