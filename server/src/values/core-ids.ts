import { idType, newId } from './ids.ts'

/** Ids of what is below the features; each feature declares the ids of its own objects. */
export const organizationIds = idType('organization', 'org')
export const apiKeyIds = idType('api key', 'key')
export const auditLogIds = idType('audit log', 'aud')
export const eventIds = idType('event', 'evt')
export const deliveryIds = idType('delivery', 'dlv')
export const requestIds = idType('request', 'req')

export const newRequestId = (): string => newId(requestIds)
