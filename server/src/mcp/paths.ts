import { apiPath, type Members, refused } from './call.ts'

/** The reads that `read` offers, by the names of their operations. None exports or reveals. */
export const readable: Readonly<Record<string, string>> = {
  listCampaigns: '/campaigns',
  getCampaign: '/campaigns/{id}',
  getCampaignHistory: '/campaigns/{id}/history',
  getCampaignSchedule: '/campaigns/{id}/schedule',
  getCampaignResults: '/campaigns/{id}/results',
  getCampaignPacing: '/campaigns/{id}/pacing',
  getDeployment: '/campaigns/{id}/deployment',
  listDeployments: '/deployments',
  listPacing: '/pacing',
  listClientPacing: '/pacing/clients',
  getClientPacing: '/clients/{id}/pacing',
  listResults: '/results',
  listResultSources: '/results/sources',
  listProfiles: '/profiles',
  getProfile: '/profiles/{id}',
  getProfileHistory: '/profiles/{id}/history',
  listClients: '/clients',
  getClient: '/clients/{id}',
  listClientBudgets: '/clients/{id}/budgets',
  listTemplates: '/templates',
  getTemplate: '/templates/{id}',
  listChangeSets: '/change_sets',
  getChangeSet: '/change_sets/{id}',
  listChangeSetOperations: '/change_sets/{id}/operations',
  listEvents: '/events',
  getLimits: '/limits',
  getMe: '/auth/me',
}

const idText = /^[a-z]{2,8}_[0-9a-z]{10,40}$/

/** A path of the API with an id; only an id can take its place. */
export function pathWith(template: string, id: unknown): string {
  if (!template.includes('{id}')) return `${apiPath}${template}`
  if (typeof id !== 'string' || !idText.test(id)) {
    throw refused('invalid_arguments', 'id must be an id such as cmp_01m7yez275fk1a52pr5qevn8kn.')
  }
  return `${apiPath}${template.replace('{id}', id)}`
}

/** Paths of objects by the beginning of their ids. */
export const collections: Readonly<Record<string, string>> = {
  cmp: '/campaigns',
  prf: '/profiles',
  cli: '/clients',
  tpl: '/templates',
  chs: '/change_sets',
  evt: '/events',
}

export const keyHeader = ({ idempotency_key: key }: Members): Record<string, string> =>
  typeof key === 'string' ? { 'idempotency-key': key } : {}
