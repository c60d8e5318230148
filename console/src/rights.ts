import { operations } from './api.gen.ts'

export type Operation = keyof typeof operations

/** The roles that may do it. */
export const rolesOf = (operation: Operation): readonly string[] => operations[operation]
