import { asOfParameter, RevertBody, revert } from '../../history/as-of.ts'
import { History, historyOf, historyParameters } from '../../history/versions.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { listParameters } from '../../query/list.ts'
import { profileEvents } from './event-types.ts'
import { profileAt, profileHistory } from './history.ts'
import {
  createProfile,
  deleteProfile,
  listProfiles,
  profileList,
  updateProfile,
} from './profiles.ts'
import { evenWhenFull, profileRefusals } from './refusals.ts'
import { cap, profileIds, readProfiles, tag, writeProfiles } from './resource.ts'
import { Profile, ProfileBody, ProfileChanges, ProfileList } from './schema.ts'

export const profiles: Feature = {
  tag,
  permissions: [readProfiles, writeProfiles],
  ids: { profiles: profileIds },
  cap,
  tables: [{ name: 'profiles', isEmptied: true }],
  evenWhenFull,
  endpoints: [
    endpoint({
      operation: 'listProfiles',
      tag,
      summary: 'List profiles',
      method: 'GET',
      path: '/profiles',
      permission: readProfiles,
      query: listParameters(profileList),
      reply: ProfileList,
      run: (ctx, { query }) => listProfiles(ctx, query),
    }),
    endpoint({
      operation: 'createProfile',
      tag,
      summary: 'Create a profile',
      description:
        'A profile is the advertiser account that campaigns run under. It holds no platform password.',
      method: 'POST',
      path: '/profiles',
      permission: writeProfiles,
      action: 'profile.created',
      body: ProfileBody,
      example: { name: 'Acme on Meta', platform: 'meta', account_ref: '4711', currency: 'USD' },
      gathersFaults: true,
      status: 201,
      reply: Profile,
      problems: ['duplicate_account_ref', 'external_id_taken', 'limit_exceeded'],
      run: (ctx, { body }) => createProfile(ctx, body),
    }),
    endpoint({
      operation: 'getProfile',
      tag,
      summary: 'Get a profile',
      method: 'GET',
      path: '/profiles/:id',
      permission: readProfiles,
      query: asOfParameter,
      reply: Profile,
      run: (ctx, { id, query }) => profileAt(ctx, id, query.as_of),
    }),
    endpoint({
      operation: 'updateProfile',
      tag,
      summary: 'Update a profile',
      description:
        'PUT and PATCH both merge: a sent field is set, null clears an optional field, an omitted field is unchanged. When it stops being active, its scheduled and active campaigns pause.',
      method: ['PUT', 'PATCH'],
      path: '/profiles/:id',
      permission: writeProfiles,
      action: 'profile.updated',
      body: ProfileChanges,
      example: { status: 'paused' },
      gathersFaults: true,
      reply: Profile,
      problems: ['duplicate_account_ref', 'external_id_taken', 'change_set_required'],
      run: (ctx, { id, body }) => updateProfile(ctx, id, body),
    }),
    endpoint({
      operation: 'deleteProfile',
      tag,
      summary: 'Delete a profile',
      description: 'Refused while campaigns refer to it: archive it instead.',
      method: 'DELETE',
      path: '/profiles/:id',
      permission: writeProfiles,
      action: 'profile.deleted',
      status: 204,
      problems: ['resource_in_use'],
      run: (ctx, { id }) => deleteProfile(ctx, id),
    }),
    endpoint({
      operation: 'getProfileHistory',
      tag,
      summary: 'List the versions of a profile',
      description:
        'Newest first: the state after each change, its time and its actor. Goes back as far as audit records are kept.',
      method: 'GET',
      path: '/profiles/:id/history',
      permission: readProfiles,
      query: historyParameters(profileHistory),
      reply: History,
      run: (ctx, { id, query }) => historyOf(ctx, profileHistory, { id, query }),
    }),
    endpoint({
      operation: 'revertProfile',
      tag,
      summary: 'Restore an earlier version of a profile',
      description:
        'Validated like any other update: a field that cannot change now is refused. The status does not change.',
      method: 'POST',
      path: '/profiles/:id/revert',
      permission: writeProfiles,
      action: 'profile.updated',
      body: RevertBody,
      example: { to_version: 3 },
      reply: Profile,
      problems: ['duplicate_account_ref', 'external_id_taken', 'change_set_required'],
      run: (ctx, { id, body }) => revert(ctx, profileHistory, { id, ...body }),
    }),
  ],
  constraints: profileRefusals,
  events: [profileEvents],
}
