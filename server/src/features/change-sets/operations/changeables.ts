import type { TenantTable } from '../../../database/tables/tenant-tables.ts'
import type { Permission } from '../../../identity/permissions.ts'
import type { Context } from '../../../kernel/context.ts'
import type { IdType } from '../../../values/ids.ts'
import { keysOf } from '../../../values/objects.ts'
import { campaignKinds, type Kinds, kindsOf } from '../../campaigns/bulk/operations.ts'
import { getCampaign } from '../../campaigns/campaigns.ts'
import { campaignIds, readCampaigns, writeCampaigns } from '../../campaigns/resource.ts'
import { CampaignChanges } from '../../campaigns/schema.ts'
import { createClient, deleteClient, getClient, updateClient } from '../../clients/clients.ts'
import { clientIds, readClients, writeClients } from '../../clients/resource.ts'
import { ClientBody, ClientChanges } from '../../clients/schema.ts'
import { createProfile, deleteProfile, getProfile, updateProfile } from '../../profiles/profiles.ts'
import { profileIds, readProfiles, writeProfiles } from '../../profiles/resource.ts'
import { ProfileBody, ProfileChanges } from '../../profiles/schema.ts'
import { createProxy, deleteProxy, getProxy, updateProxy } from '../../proxies/proxies.ts'
import { proxyIds, readProxies, writeProxies } from '../../proxies/resource.ts'
import { ProxyBody, ProxyChanges } from '../../proxies/schema.ts'
import { readTemplates, templateIds, writeTemplates } from '../../templates/resource.ts'
import { TemplateBody, TemplateChanges } from '../../templates/schema.ts'
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  updateTemplate,
} from '../../templates/templates.ts'
import type { ResourceName } from './schema.ts'

/** The part of a verb's reply that change sets read. */
export type Changed = { readonly id: string; readonly version: number }

/** A kind of object that change sets change, by the single requests that it has. */
type Changeable = {
  table: TenantTable & ('campaigns' | 'clients' | 'profiles' | 'proxies' | 'templates')
  ids: IdType
  kinds: Kinds<Changed>
  get(ctx: Context, id: string): Promise<Readonly<Record<string, unknown>>>
  /** The fields that updates set. */
  writable: readonly string[]
  read: Permission
  write: Permission
}

export const changeables: Readonly<Record<ResourceName, Changeable>> = {
  campaign: {
    table: 'campaigns',
    ids: campaignIds,
    kinds: campaignKinds,
    get: getCampaign,
    writable: keysOf(CampaignChanges.properties),
    read: readCampaigns,
    write: writeCampaigns,
  },
  client: {
    table: 'clients',
    ids: clientIds,
    kinds: kindsOf({
      created: ClientBody,
      changed: ClientChanges,
      create: createClient,
      update: updateClient,
      delete: deleteClient,
    }),
    get: getClient,
    writable: keysOf(ClientChanges.properties),
    read: readClients,
    write: writeClients,
  },
  profile: {
    table: 'profiles',
    ids: profileIds,
    kinds: kindsOf({
      created: ProfileBody,
      changed: ProfileChanges,
      create: createProfile,
      update: updateProfile,
      delete: deleteProfile,
    }),
    get: getProfile,
    // The name of its client follows from the id.
    writable: keysOf(ProfileChanges.properties).filter((field) => field !== 'client'),
    read: readProfiles,
    write: writeProfiles,
  },
  proxy: {
    table: 'proxies',
    ids: proxyIds,
    kinds: kindsOf({
      created: ProxyBody,
      changed: ProxyChanges,
      create: createProxy,
      update: updateProxy,
      delete: deleteProxy,
    }),
    get: getProxy,
    writable: keysOf(ProxyChanges.properties),
    read: readProxies,
    write: writeProxies,
  },
  template: {
    table: 'templates',
    ids: templateIds,
    kinds: kindsOf({
      created: TemplateBody,
      changed: TemplateChanges,
      create: createTemplate,
      update: updateTemplate,
      delete: deleteTemplate,
    }),
    get: getTemplate,
    writable: keysOf(TemplateChanges.properties),
    read: readTemplates,
    write: writeTemplates,
  },
}
