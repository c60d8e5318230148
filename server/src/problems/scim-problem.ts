import { Problem } from './problem.ts'

/** Names of RFC 7644 (3.12) for faults of a request. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'

/** A request that does not fit SCIM: 400, with the word that directories know for it. */
export class ScimProblem extends Problem {
  readonly scimType: ScimType

  constructor(scimType: ScimType, detail: string) {
    super('validation_failed', detail, { status: 400 })
    this.scimType = scimType
  }
}
