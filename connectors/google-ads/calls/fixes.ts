import { NetworkFault } from '../../kit/src/connect.ts'

/** The fix of a fault, by the network’s word. The guide has the same, in the same words. */
export const fixes: Readonly<Record<string, string>> = {
  OAUTH_TOKEN_INVALID: 'make another refresh token with --login',
  ACCESS_TOKEN_SCOPE_INSUFFICIENT:
    'make another refresh token with --login: it lacks the scope adwords',
  USER_PERMISSION_DENIED:
    'give the user of the credential access to the account, or name the manager account in login_customer_id',
  SERVICE_DISABLED:
    'enable the Google Ads API in the Cloud project of the OAuth client, and wait some minutes',
  PROJECT_DISABLED: 'enable the Google Ads API in the Cloud project of the OAuth client',
  CLOUD_PROJECT_NOT_FOUND: 'check that the OAuth client is of a Cloud project that exists',
  CLOUD_PROJECT_NOT_APPROVED_FOR_PRODUCTION:
    'use a test account, or ask for access to production for the Cloud project',
  DEVELOPER_TOKEN_NOT_APPROVED:
    'use a test account, or ask for Basic access in the API Center of the manager account',
  DEVELOPER_TOKEN_INVALID: 'take developer_token out of the credential: it is not needed any more',
  CUSTOMER_NOT_FOUND: 'check the account_ref of the profile: ten digits',
  CUSTOMER_NOT_ENABLED: 'finish the set-up of the account, or open it again, in Google Ads',
  ACTION_NOT_PERMITTED_FOR_SUSPENDED_ACCOUNT:
    'the account is suspended: see its page in Google Ads',
  EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED:
    'declare in Google Ads, of each campaign, whether it contains political advertising for the EU',
  DUPLICATE_CAMPAIGN_NAME: 'rename one of the two campaigns',
  BUDGET_BELOW_PER_DAY_MINIMUM: 'raise the budget to what the message says',
  CANNOT_CHANGE_BUDGET_PERIOD: 'make a new campaign: Google keeps the kind of budget',
  RESOURCE_EXHAUSTED:
    'wait: the connector goes on by itself; where it comes often, look less often with --poll-seconds',
}

export function fixOf(error: unknown): string {
  if (!(error instanceof NetworkFault)) throw error
  const fix = fixes[error.network?.subcode ?? '']
  return fix === undefined ? error.message : `${error.message} Fix: ${fix}.`
}
