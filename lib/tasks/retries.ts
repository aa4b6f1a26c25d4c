/**
 * Raised by Lambda when the account runs as many functions as it may. Nothing was invoked, so that another attempt does no harm
 * and costs one transition; how long it takes depends on what else the account runs.
 */
export const THROTTLED = 'Lambda.TooManyRequestsException'

/** Raised where the function was over its memory, or Lambda has ended its process, which is how most of those end. */
export const OUT_OF_MEMORY = 'Runtime.OutOfMemory'
export const PROCESS_ENDED = 'Runtime.ExitError'

/** Transient errors, and nothing else. */
const transient = [
  'PlatformThrottledError',
  'PlatformUnavailableError',
  'StorageError',
  'ServiceError',
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
  'Lambda.Unknown',
  'Sandbox.Timedout', // the function's own timeout
  PROCESS_ENDED,
  'States.Timeout',
] as const

const backoff = { IntervalSeconds: 1, BackoffRate: 2, JitterStrategy: 'FULL' } as const

/** The same input takes as much memory again, unless another invocation shared the environment's. */
const afterOutOfMemory = { ...backoff, ErrorEquals: [OUT_OF_MEMORY], MaxAttempts: 1, MaxDelaySeconds: 20 } as const

/**
 * Repeats a throttled task of a show for about an hour: what a show starts late, it still starts, and the sweep continues what
 * was given up. Attempts are at most half a minute apart, so that a show is ahead of publishing, which waits twice as long.
 */
const throttledShow = { ...backoff, ErrorEquals: [THROTTLED], MaxAttempts: 240, MaxDelaySeconds: 30 } as const

/** Repeats a throttled task of publishing for about 30 minutes, since each wait is half of its limit on average. */
const throttledPublish = { ...backoff, ErrorEquals: [THROTTLED], MaxAttempts: 60, MaxDelaySeconds: 60 } as const

/** Repeats what failed for a transient reason. The first attempt follows within a second, all of them within about a minute. */
const transientRetry = { ...backoff, ErrorEquals: transient, MaxAttempts: 6, MaxDelaySeconds: 20 } as const

/** How every task is retried by its machine; a task that is repeated finds what it did before. */
export const taskRetry = [throttledShow, afterOutOfMemory, transientRetry] as const

/**
 * How a callback is repeated while the app does not answer: for about a day, since each wait is on average half as long as
 * its limit, which grows from 10 s to an hour in the first nine and stays there for 48 more. The tell machine's own timeout
 * is longer than all the limits together, so that what is given up is given up in words.
 */
const callbackRetry = [
  throttledShow,
  afterOutOfMemory,
  // An event is put on the bus just before it is recorded. One that is not recorded within minutes is forged.
  { ...backoff, ErrorEquals: ['EventNotRecordedError'], IntervalSeconds: 1, MaxAttempts: 9, MaxDelaySeconds: 60 },
  { ...backoff, ErrorEquals: transient, IntervalSeconds: 10, MaxAttempts: 57, MaxDelaySeconds: 3_600 },
] as const

/** Of attempts to observe: for longer than the child that observes may run. */
const persistent = { MaxAttempts: 500, MaxDelaySeconds: 30 } as const

/**
 * How an observation is repeated while the bucket, or whatever else it needs, does not answer: for longer than the child that
 * observes may run, so that the next one continues, and a show survives the outage as it survives the platform's. An attempt
 * follows at least every half minute, so that what has happened meanwhile is noticed as soon as it can be.
 */
const lookRetry = [{ ...throttledShow, ...persistent }, afterOutOfMemory, { ...transientRetry, ...persistent }] as const

/** How a task of publishing that is short is repeated. */
const publishRetry = [throttledPublish, afterOutOfMemory, transientRetry] as const

const givenUp: readonly string[] = ['Sandbox.Timedout', PROCESS_ENDED, 'Lambda.Unknown', 'States.Timeout']

/**
 * How work on a whole recording is repeated: once when it took too long or too much memory, since it would again, and a quarter
 * of an hour each time; after throttling and other transient errors as everywhere.
 */
const longRetry = [
  throttledPublish,
  { ...afterOutOfMemory, ErrorEquals: [OUT_OF_MEMORY, ...givenUp] },
  { ...transientRetry, ErrorEquals: transient.filter((name) => !givenUp.includes(name)) },
] as const

/** Tasks that are retried otherwise than all others. */
export const ownRetries = {
  notifyOwner: callbackRetry,
  watchShow: lookRetry,
  checkAudience: lookRetry,
  inspectRecording: publishRetry,
  makePoster: publishRetry,
  writePlaylists: publishRetry,
  writeManifest: publishRetry,
  findParts: publishRetry,
  findOverlap: publishRetry,
  joinParts: publishRetry,
  composePiece: longRetry,
  mixAudio: longRetry,
  assembleComposite: longRetry,
  makeFaststart: longRetry,
  makeThumbnails: longRetry,
  cutPiece: longRetry,
  encodePiece: longRetry,
  copyAudio: longRetry,
  measureAudio: longRetry,
  findChapters: longRetry,
  hashSource: longRetry,
} as const

/** The `Retry` of every state that runs the task. */
export const retriesOf = (task: string): typeof taskRetry | (typeof ownRetries)[keyof typeof ownRetries] =>
  task in ownRetries ? ownRetries[task as keyof typeof ownRetries] : taskRetry
