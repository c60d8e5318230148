import { shortName } from '../../values/nearest-name.ts'

/** A key as a token of a JSON pointer (RFC 6901), cut where it is too long to be repeated. */
export const pointerToken = (key: string): string =>
  shortName(key).replaceAll('~', '~0').replaceAll('/', '~1')

const keyOf = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~')

/** A pointer whose tokens may be of any length. */
export const shortPointer = (pointer: string): string =>
  pointer
    .split('/')
    .map((token) => pointerToken(keyOf(token)))
    .join('/')
