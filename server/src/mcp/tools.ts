import type { Tool } from './tool.ts'
import { applyChangeSet } from './tools/apply-change-set.ts'
import { findCampaigns } from './tools/find-campaigns.ts'
import { getObject } from './tools/get-object.ts'
import { getPacing } from './tools/get-pacing.ts'
import { lookup } from './tools/lookup.ts'
import { proposeChanges } from './tools/propose-changes.ts'
import { read } from './tools/read.ts'
import { recentChanges } from './tools/recent-changes.ts'
import { reportResults } from './tools/report-results.ts'
import { stopSpend } from './tools/stop-spend.ts'

/** All tools, in the order of their list. */
export const tools: readonly Tool[] = [
  findCampaigns,
  getObject,
  getPacing,
  recentChanges,
  lookup,
  read,
  proposeChanges,
  applyChangeSet,
  stopSpend,
  reportResults,
]
