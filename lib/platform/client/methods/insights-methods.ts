// Generated from lib/platform/contract by `npm run docs`: change it there.
import type { Request } from '../../contract/operation.ts'
import type { Operations } from '../../contract/operations/operations.ts'
import type { Answer } from '../answers.ts'
import type { PlatformCallOptions } from '../calls.ts'
import type { PlatformAuthError, PlatformRequestError, PlatformUnavailableError } from '../errors.ts'

/** Client methods of the platform’s insights operations. */
export interface InsightsMethods {
  /**
   * Queries a project’s usage, sessions and quality with GraphQL. The schema is lib/platform/contract/insights/insights-schema.ts.
   *
   * Limits:
   * - Usage is kept for 90 days and arrives after 36 to 48 hours.
   * - Sessions and quality are kept for 21 days and arrive after 5 minutes.
   *
   * `POST /graphql`, signed by the project.
   *
   * @param request
   * - `operationName`: Operation to run if the query has several
   * @throws 400 {@link PlatformRequestError}: Invalid JSON, or no query.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const insightsAnswer = await client.queryInsights({
   *   query: `query Usage($project: Int!, $start: Date) {
   *   project(projectId: $project) {
   *     projectData(start: $start, interval: DAILY, sdkType: [JS], groupBy: [SDK_TYPE]) {
   *       resources { sdkType intervalStart intervalEnd usage { streamedPublishedMinutes streamedSubscribedMinutes } }
   *     }
   *   }
   * }`,
   *   variables: { project: 100001, start: '2026-11-20T00:00:00Z' },
   * })
   * ```
   */
  queryInsights(
    request: Request<Operations['queryInsights']>,
    options?: PlatformCallOptions<Operations['queryInsights']>,
  ): Promise<Answer<Operations['queryInsights']>>
}
