import Negotiator from 'negotiator'

/** Whether `Accept` ranks JSON above HTML; otherwise the page is sent. */
export const prefersJson = (accept = '*/*'): boolean =>
  new Negotiator({ headers: { accept } }).mediaType(['text/html', 'application/json']) ===
  'application/json'
