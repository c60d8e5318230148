import Negotiator from 'negotiator'

/** Whether `Accept` ranks JSON above HTML. Pages are for people unless it says so. */
export const prefersJson = (accept = '*/*'): boolean =>
  new Negotiator({ headers: { accept } }).mediaType(['text/html', 'application/json']) ===
  'application/json'
