import type { Services } from '../../../lib/services.ts'
import { ApiProblem } from '../../http/problem.ts'
import { type ApiEvent, noShow, ok, showIdOf } from '../../http/request.ts'

/** `GET /shows/{id}/quality`: answers whose connection was bad, once Insights have reported it. */
export async function getQuality(event: ApiEvent, { records, usageRecords, variable }: Services) {
  const showId = showIdOf(event)
  const quality = await usageRecords.readQuality(showId)
  if (quality) return ok(quality)
  if (!(await records.readState(showId))) throw noShow(showId)
  throw new ApiProblem('no-quality-report', `There is no quality report of the show ${showId}: ${reasonOf(variable)}`)
}

function reasonOf(variable: Services['variable']): string {
  if (variable('INSIGHTS_URL') === 'none') return 'this deployment does not query Insights; set platform.insightsUrl.'
  if (variable('INSIGHTS_PLAN') !== 'advanced')
    return 'it needs the advanced add-on of Insights; set platform.insights to advanced where the project has it.'
  return 'it is written up to an hour and five minutes after the show has ended.'
}
