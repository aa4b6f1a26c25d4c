import { countShow } from '../../../lib/operations/usage/count-show.ts'
import { countedCostOf } from '../../../lib/show/plan/forecast/counted-cost.ts'
import { estimatedMinutesOf } from '../../../lib/show/plan/forecast/estimated-minutes.ts'
import { prices } from '../../../lib/show/plan/forecast/prices.ts'
import { costOf } from '../../../lib/show/plan/forecast/show-cost.ts'
import { noShow, ok, type Routes, showIdOf } from '../../http/request.ts'

export const costRoutes = {
  /** Prices what was counted of a show, beside the estimate of its document. */
  async 'GET /shows/{id}/cost'(event, services) {
    const showId = showIdOf(event)
    const state = await services.records.readState(showId)
    if (!state) throw noShow(showId)
    const { show } = await services.shows.request(showId)
    const { usage, minutes, missingExecutions } = await countShow(services, state)
    const { viewers: _, ...estimate } = costOf(show, 0)
    const counted = countedCostOf(usage)
    const isCounted = (item: string) => counted.items.some((one) => one.item === item)
    const { region, asOf } = prices
    return ok({
      ...{ showId, region, asOf },
      counted: { ...counted, minutes },
      estimated: { ...estimate, minutes: estimatedMinutesOf(show) },
      uncounted: estimate.items.flatMap(({ item }) => (isCounted(item) ? [] : item)),
      missingExecutions,
    })
  },
} satisfies Partial<Routes>
