import manifest from '../package.json' with { type: 'json' }

/** Of the service, as its package says. */
export const { version } = manifest
