import { begin } from '../../session.tsx'

type Way = {
  /** The path to go on at. */
  next: string
  /** Whether the provider has to ask the person again. */
  isRecent: boolean
}

export function startAddress(startUrl: string, { next, isRecent }: Way): string {
  const url = new URL(startUrl)
  url.searchParams.set('next', next)
  if (isRecent) url.searchParams.set('again', 'true')
  return url.href
}

/** Between the window of a login and the page that waits for it, which need not have opened it. */
const channelName = 'flightdeck login'

let waiting: BroadcastChannel | undefined

/** Logs in in a window of its own, so that this page and what is typed in it stay. */
export function logInBeside(url: string, onDone: () => void): void {
  waiting?.close()
  const channel = new BroadcastChannel(channelName)
  waiting = channel
  channel.onmessage = () => {
    channel.postMessage(null)
    channel.close()
    void begin().then(onDone)
  }
  window.open(url, 'flightdeck-login', 'popup,width=520,height=680')
}

/** Says so to the page that waits; closes this window once that page has heard of it. */
export function sayLoggedIn(): void {
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = () => {
    channel.close()
    window.close()
  }
  channel.postMessage(null)
}
