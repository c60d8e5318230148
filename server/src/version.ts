import manifest from '../package.json' with { type: 'json' }

/** The version of the service, from its package. */
export const { version } = manifest
