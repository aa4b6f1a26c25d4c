/** The entry point `showrunner/platform` of the package. */
export type { Request } from '../../contract/operation.ts'
export type { OperationName, Operations } from '../../contract/operations/operations.ts'
export type { UploadTarget } from '../../contract/upload-targets.ts'
export type { Answer, Archive, Broadcast, Call, Composer, Project, Stream } from '../answers.ts'
export type { PlatformCallOptions } from '../calls.ts'
export { createPlatformClient, type PlatformClient } from '../client.ts'
export { type ClientTokenOptions, createClientToken } from '../client-tokens.ts'
export {
  PlatformAuthError,
  PlatformConflictError,
  PlatformError,
  type PlatformErrorDetails,
  PlatformNotFoundError,
  PlatformRequestError,
  PlatformResponseError,
  PlatformThrottledError,
  PlatformUnavailableError,
} from '../errors.ts'
export type { Retries } from '../http/retries.ts'
export type { Insights, InsightsRange, MeetingSummary, UsageMetric, UsageRequest } from '../insights/insights.ts'
export type { QualityRequest, StreamQuality } from '../insights/insights-quality.ts'
export type { Unreadable } from '../lenient-parsing.ts'
export type { PlatformClientOptions, ReadSecret } from '../options.ts'
export type { LeftOut } from '../outcomes.ts'
