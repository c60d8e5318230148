/**
 * Lists the operations that an agent's key may use. All others are refused, so that a new one is closed
 * to agents until it is opened here.
 */

const reads = [
  ...['getMe', 'getApiKey', 'getOrganization', 'getLimits', 'getSandbox'],
  ...['listCampaigns', 'getCampaign', 'getCampaignHistory', 'getCampaignSchedule'],
  ...['getCampaignResults', 'getCampaignPacing', 'listPacing', 'listClientPacing'],
  ...['getClientPacing', 'listResults', 'listResultSources'],
  ...['listDeployments', 'getDeployment'],
  ...['listProfiles', 'getProfile', 'getProfileHistory'],
  ...['listClients', 'getClient', 'getClientHistory', 'listClientBudgets'],
  ...['listTemplates', 'getTemplate', 'getTemplateHistory'],
  ...['listChangeSets', 'getChangeSet', 'listChangeSetOperations'],
  ...['listReports', 'getReport', 'getReportData', 'listReportSnapshots', 'getReportSnapshot'],
  ...['listEvents', 'getEvent', 'streamEvents', 'listEventTypes', 'getReferenceEvents'],
  ...['getCampaignStates', 'listDeploymentStates', 'listObjectives'],
  ...['listCurrencies', 'listErrors'],
]

/** Proposals, and texts of reports: none of them spends money by itself. */
const writes = [
  ...['proposeChangeSet', 'proposeChangeSetFromCsv', 'updateChangeSet', 'cancelChangeSet'],
  ...['refreshChangeSet', 'applyChangeSet'],
  ...['createReport', 'updateReport'],
]

/** The safe direction: also for a key that is stopped. */
const stops = ['pauseCampaign', 'bulkCampaigns']

/** Changes of campaigns and templates, which go through a change set. */
const byChangeSet = [
  ...['createCampaign', 'updateCampaign', 'deleteCampaign', 'revertCampaign'],
  ...['explainCampaignStatus', 'duplicateCampaign', 'launchCampaign', 'submitCampaign'],
  ...['withdrawCampaign', 'unscheduleCampaign', 'resumeCampaign', 'completeCampaign'],
  ...['archiveCampaign', 'unarchiveCampaign'],
  ...['createTemplate', 'updateTemplate', 'deleteTemplate', 'revertTemplate'],
  ...['saveCampaignAsTemplate'],
]

type AgentRule = 'reads' | 'writes' | 'stops' | 'by_change_set' | 'refused'

const rules: ReadonlyMap<string, AgentRule> = new Map([
  ...reads.map((name) => [name, 'reads'] as const),
  ...writes.map((name) => [name, 'writes'] as const),
  ...stops.map((name) => [name, 'stops'] as const),
  ...byChangeSet.map((name) => [name, 'by_change_set'] as const),
])

export const agentRuleOf = (operation: string): AgentRule => rules.get(operation) ?? 'refused'

/** The operations that are named here. */
export const namedForAgents: readonly string[] = [...rules.keys()]
