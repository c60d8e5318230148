import { Type } from 'typebox'

export const startQuery = {
  email: Type.String(),
  /** A path of the console. */
  next: Type.String(),
  /** For who is logged in already: the provider asks who it is. */
  again: Type.Boolean(),
}
