import type { insightsOperations } from '../../../lib/platform/contract/insights/insights.ts'
import type { Handlers } from '../handler.ts'
import type { Store } from '../state/store.ts'
import { answerQuery } from './insights.ts'

export const insightsHandlers = ({
  store,
  now,
  hasAddOn,
}: {
  store: Store
  now: () => number
  /** The projects have the add-on with sessions and their quality. */
  hasAddOn: boolean
}): Handlers<keyof typeof insightsOperations> => ({
  queryInsights: ({ body }, { project }) => answerQuery(body, { store, now: now(), project, hasAddOn }),
})
