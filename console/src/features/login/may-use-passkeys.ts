/** The origin that passkeys are bound to, which the service says in the page; empty without one. */
export const passkeysAt =
  document.querySelector<HTMLMetaElement>('meta[name=flightdeck-passkeys]')?.content ?? ''

export const knowsPasskeys =
  'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential

export const mayUsePasskeys = passkeysAt === location.origin && knowsPasskeys
