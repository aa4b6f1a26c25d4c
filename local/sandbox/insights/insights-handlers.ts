import type { insightsOperations } from '../../../lib/platform/contract/insights/insights.ts'
import type { Handlers, Platform } from '../handler.ts'
import { answerQuery } from './insights.ts'

export const insightsHandlers = ({
  store,
  now,
  hasAdvancedInsights: hasAddOn,
}: Pick<Platform, 'store' | 'now' | 'hasAdvancedInsights'>): Handlers<keyof typeof insightsOperations> => ({
  queryInsights: ({ body }, { project }) => answerQuery(body, { store, now: now(), project, hasAddOn }),
})
