import type { insightsOperations } from '../../../lib/platform/contract/insights/insights.ts'
import type { Handlers } from '../handler.ts'
import type { Store } from '../state/store.ts'
import { answerQuery } from './insights.ts'

/** @param hasAddOn the projects have the add-on with sessions and their quality */
export const insightsHandlers = (
  store: Store,
  now: () => number,
  hasAddOn: boolean,
): Handlers<keyof typeof insightsOperations> => ({
  queryInsights: ({ body }, { project }) => answerQuery(body, { store, now: now(), project, hasAddOn }),
})
