/** What event apps import as `showrunner/client`. */
export type { Archive } from '../../contract/archives.ts'
export type { Broadcast } from '../../contract/broadcasts.ts'
export type { Call } from '../../contract/calls.ts'
export type { Composer } from '../../contract/composers.ts'
export type { Request } from '../../contract/operation.ts'
export type { OperationName, Operations } from '../../contract/operations.ts'
export type { Project } from '../../contract/projects.ts'
export type { Stream } from '../../contract/streams.ts'
export type { UploadTarget } from '../../contract/upload-targets.ts'
export type { Answer } from '../answers.ts'
export type { CallOptions } from '../calls.ts'
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
export type { Insights, InsightsRange, MeetingSummary, UsageMetric, UsageRequest } from '../insights.ts'
export type { QualityRequest, StreamQuality } from '../insights-quality.ts'
export type { PlatformClientOptions, ReadSecret } from '../options.ts'
export type { Retries } from '../retries.ts'
