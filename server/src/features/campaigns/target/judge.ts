/** How a campaign's results stand beside its target. Pure. */

import type { Target } from '../../../database/tables/json-columns.ts'
import { type Sums, shownFigures } from '../../results/summary/metrics.ts'
import { isCost } from './normalize.ts'
import type { Performance } from './schema.ts'

/** Sums of what was reported for a window; null where no row has the figure. */
export type WindowSums = Omit<Sums, 'currency' | 'spend_minor' | 'adjustment_minor'> & {
  spend_minor: number | null
  adjustment_minor: number | null
  /** Days with results, up to where all sources have come. */
  complete_days: number
}

export type Judging = {
  target: Target
  exponent: number
  window: Performance['window']
  reported: WindowSums | undefined
  /** The guardrail, in percent. */
  bound: number
  /** By this target; null for the first time. */
  before: Performance['status'] | null
}

/** `off_target` is left only these points beyond its bound. */
const margin = 5
const minCompleteDays = 3
const maxIndex = 1_000

export function performanceOf(judging: Judging): Performance {
  const { target, window } = judging
  const figures = figuresOf(judging)
  const value = figures?.[target.metric] ?? null
  return {
    metric: target.metric,
    value,
    target: target.value,
    index: value === null ? null : indexOf(target, value),
    status: statusOf(judging, value),
    window,
    spend_minor: figures?.spend_minor ?? null,
    conversions: figures?.conversions ?? null,
  }
}

export function figuresOf({ reported, exponent }: Pick<Judging, 'reported' | 'exponent'>) {
  if (!reported) return undefined
  const { spend_minor, adjustment_minor } = reported
  if (spend_minor === null || adjustment_minor === null) return undefined
  return shownFigures({ ...reported, spend_minor, adjustment_minor }, exponent)
}

function indexOf(target: Target, value: number): number {
  const index = isCost(target.metric) ? target.value / value : value / target.value
  return Math.min(Math.round(index * 10_000) / 10_000, maxIndex)
}

function statusOf(judging: Judging, value: number | null): Performance['status'] {
  const { target, reported, bound, before } = judging
  if (!reported || reported.spend_minor === null) return 'no_data'
  if (value === null || !isEnough(target, reported)) return 'low_data'
  const points = before === 'off_target' ? bound - margin : bound
  // Scaled by 100, so that a percentage of the target is not rounded.
  const [scaled, wanted] = [value * 100, target.value]
  const isOff = isCost(target.metric)
    ? isBeyond(scaled, wanted * (100 + points))
    : isBeyond(wanted * (100 - points), scaled)
  return isOff ? 'off_target' : 'on_target'
}

/** Whether a value is beyond a bound, and not exactly there, whatever doubles make of it. */
const isBeyond = (one: number, other: number): boolean => one > other * (1 + 1e-9)

function isEnough(target: Target, reported: WindowSums): boolean {
  const days = Math.min(minCompleteDays, target.window_days)
  return reported.complete_days >= days && countedIn(target.metric, reported)
}

const million = 1_000_000

function countedIn(metric: Target['metric'], reported: WindowSums): boolean {
  const { conversions_millionths, clicks, impressions } = reported
  switch (metric) {
    case 'cpa':
    case 'roas':
      return (conversions_millionths ?? 0) >= 10 * million
    case 'cpc':
    case 'ctr':
      return (clicks ?? 0) >= 10
    case 'cpm':
      return (impressions ?? 0) >= 1_000
    case 'conversions':
    case 'clicks':
    case 'impressions':
      return true
  }
}
