import { shortName } from '../../values/nearest-name.ts'

/** A key as a JSON pointer token (RFC 6901), truncated if long. */
export const pointerToken = (key: string): string =>
  shortName(key).replaceAll('~', '~0').replaceAll('/', '~1')

const unescapedToken = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~')

/** The pointer with long tokens truncated. */
export const shortPointer = (pointer: string): string =>
  pointer
    .split('/')
    .map((token) => pointerToken(unescapedToken(token)))
    .join('/')
