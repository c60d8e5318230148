import type { Campaign } from '../../../flightdeck.ts'
import { targetText } from './words.ts'

type TargetProps = { target: NonNullable<Campaign['target']>; campaign: Campaign }

/** A target in words. */
export default function TargetShown({ target, campaign }: TargetProps) {
  return <span>{targetText(target, campaign)}</span>
}
