import { FlightdeckError } from '@flightdeckhq/sdk'

/** What went wrong, in the words of the service; what to do where it says nothing. */
export type Trouble = {
  title: string
  detail: string
  /** To quote in a report. */
  requestId: string | null
}

export function troubleOf(error: unknown): Trouble {
  if (error instanceof FlightdeckError) {
    const { title, detail } = error.problem
    return { title, detail, requestId: error.requestId || null }
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return {
      title: 'The service did not answer in time',
      detail: 'Try again. If it lasts, ask the operator of Flightdeck.',
      requestId: null,
    }
  }
  return {
    title: 'The service cannot be reached',
    detail: 'Your network or the service is down. The console tries again by itself.',
    requestId: null,
  }
}

/** The faults of a refused request by the pointer of their field. */
export function faultsOf(error: unknown): ReadonlyMap<string, string> {
  const faults = new Map<string, string>()
  if (!(error instanceof FlightdeckError)) return faults
  for (const { pointer, message } of error.errors) {
    if (pointer !== undefined && !faults.has(pointer)) faults.set(pointer, sentence(message ?? ''))
  }
  return faults
}

const sentence = (text: string): string =>
  text === '' ? text : `${text[0]?.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
