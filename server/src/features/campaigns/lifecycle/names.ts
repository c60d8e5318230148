import { choice } from '../../../schema/fields.ts'
import { objectives } from '../objectives.ts'
import { actions, blockReasons, causes, reasons, statuses } from './transitions.ts'

/** The names that replies use, each a component of the OpenAPI document. */

export const ObjectiveName = choice(objectives, {
  title: 'Objective',
  description: 'The campaign’s goal.',
})

export const StatusName = choice(statuses, {
  title: 'CampaignStatus',
  description: 'Changed by actions and at `start_at` and `end_at` only.',
})

export const ActionName = choice(actions, {
  title: 'CampaignAction',
  description: 'What can be done to the status of a campaign.',
})

export const CauseName = choice(causes, {
  title: 'StatusCause',
  description: 'The action, or `start` where the service did it at `start_at`.',
})

export const ReasonName = choice(reasons, {
  title: 'DeliveryReason',
  description: 'Why a campaign does not deliver.',
})

export const BlockReasonName = choice(blockReasons, {
  title: 'BlockReason',
  description: 'Why an action is not possible.',
})
