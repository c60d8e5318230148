export const objectives = [
  'awareness',
  'reach',
  'traffic',
  'engagement',
  'video_views',
  'leads',
  'app_promotion',
  'conversions',
  'sales',
] as const
export type Objective = (typeof objectives)[number]

/** The ad networks' own names (Meta, TikTok, LinkedIn, Google Ads, Pinterest, Snapchat, X). */
const aliases: Record<string, Objective> = {
  OUTCOME_AWARENESS: 'awareness',
  OUTCOME_TRAFFIC: 'traffic',
  OUTCOME_ENGAGEMENT: 'engagement',
  OUTCOME_LEADS: 'leads',
  OUTCOME_APP_PROMOTION: 'app_promotion',
  OUTCOME_SALES: 'sales',
  BRAND_AWARENESS: 'awareness',
  BRAND_AWARENESS_AND_REACH: 'awareness',
  LINK_CLICKS: 'traffic',
  WEBSITE_TRAFFIC: 'traffic',
  WEBSITE_VISIT: 'traffic',
  WEBSITE_VISITS: 'traffic',
  WEB_VISIT: 'traffic',
  WEBSITE_CLICKS: 'traffic',
  POST_ENGAGEMENT: 'engagement',
  ENGAGEMENTS: 'engagement',
  PAGE_LIKES: 'engagement',
  COMMUNITY_INTERACTION: 'engagement',
  MESSAGES: 'engagement',
  VIDEO_VIEW: 'video_views',
  LEAD_GENERATION: 'leads',
  LEADS_GENERATION: 'leads',
  APP_INSTALL: 'app_promotion',
  APP_INSTALLS: 'app_promotion',
  CONVERSION: 'conversions',
  WEBSITE_CONVERSION: 'conversions',
  WEBSITE_CONVERSIONS: 'conversions',
  WEB_CONVERSION: 'conversions',
  WEB_CONVERSIONS: 'conversions',
  CATALOG_SALES: 'sales',
  PRODUCT_CATALOG_SALES: 'sales',
  PRODUCT_SALES: 'sales',
  SHOPPING: 'sales',
}

/** Every accepted name, as listed in the OpenAPI document. */
export const objectiveNames: readonly string[] = [...objectives, ...Object.keys(aliases)]

/** Maps any accepted name, case-insensitively; undefined if unknown. */
export function objectiveOf(name: string): Objective | undefined {
  const lower = name.toLowerCase()
  return objectives.find((objective) => objective === lower) ?? aliases[name.toUpperCase()]
}

/** The objectives with each network's names. */
export const objectivesWithAliases = objectives.map((objective) => ({
  objective,
  aliases: Object.keys(aliases).filter((alias) => aliases[alias] === objective),
}))
