import Negotiator from 'negotiator'

/** Whether `Accept` asks for pages, as browsers do and programs do not. */
export const prefersPage = (accept = ''): boolean =>
  accept.includes('text/html') && !prefersJson(accept)

/** Whether `Accept` ranks JSON above HTML; otherwise the page is sent. */
export const prefersJson = (accept = '*/*'): boolean =>
  new Negotiator({ headers: { accept } }).mediaType(['text/html', 'application/json']) ===
  'application/json'
