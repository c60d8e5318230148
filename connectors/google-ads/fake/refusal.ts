/** Refusals of the network, as `GoogleAdsFailure` has them. */

export type PathElement = { fieldName: string; index?: number }

export type ErrorItem = {
  /** `campaignError.DUPLICATE_CAMPAIGN_NAME` */
  word: string
  message: string
  path?: PathElement[]
  details?: object
}

const statuses: Readonly<Record<string, readonly [number, string]>> = {
  authenticationError: [401, 'UNAUTHENTICATED'],
  authorizationError: [403, 'PERMISSION_DENIED'],
  quotaError: [429, 'RESOURCE_EXHAUSTED'],
  internalError: [500, 'INTERNAL'],
  databaseError: [409, 'ABORTED'],
}

export class Refusal extends Error {
  readonly errors: readonly ErrorItem[]
  constructor(...errors: readonly ErrorItem[]) {
    super(errors.map(({ message }) => message).join(' '))
    this.errors = errors
  }

  status(): number {
    return this.#status()[0]
  }

  /** The answer, for a test of its shape too. */
  failure(requestId: string): { errors: object[]; requestId: string } {
    const errors = this.errors.map(({ word, message, path, details }) => {
      const [error = '', name = ''] = word.split('.')
      return {
        errorCode: { [error]: name },
        message,
        ...(path && { location: { fieldPathElements: path } }),
        ...(details && { details }),
      }
    })
    return { errors, requestId }
  }

  body(requestId: string): object {
    const [code, status] = this.#status()
    const details = [
      {
        '@type': 'type.googleapis.com/google.ads.googleads.v25.errors.GoogleAdsFailure',
        ...this.failure(requestId),
      },
    ]
    return { error: { code, message: this.message, status, details } }
  }

  #status(): readonly [number, string] {
    const [error = ''] = this.errors[0]?.word.split('.') ?? []
    return statuses[error] ?? [400, 'INVALID_ARGUMENT']
  }
}

/** A request that is not of the API’s shape: refused before the service sees it. */
export class Malformed extends Error {
  body(): object {
    return { error: { code: 400, message: this.message, status: 'INVALID_ARGUMENT' } }
  }
}

/** A refusal of Google’s own gateway, for the Cloud project that asks. */
export class OfProject extends Error {
  readonly reason: string
  constructor(reason: string) {
    super(`Google Ads API is refused to the project: ${reason}.`)
    this.reason = reason
  }

  body(): object {
    const { reason, message } = this
    const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }
    const details = [{ ...info, domain: 'googleapis.com' }]
    return { error: { code: 403, message, status: 'PERMISSION_DENIED', details } }
  }
}

type More = Partial<ErrorItem>

export const refusal = (word: string, message: string, more: More = {}): Refusal =>
  new Refusal({ word, message, ...more })

export const refuse = (word: string, message: string, more: More = {}): never => {
  throw refusal(word, message, more)
}
