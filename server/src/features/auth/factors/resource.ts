import { idType } from '../../../values/ids.ts'

export const factorIds = idType('factor', 'fac')

export const challengeIds = idType('login challenge', 'lch')

/** Factors of one person. */
export const mostOfOne = 10
