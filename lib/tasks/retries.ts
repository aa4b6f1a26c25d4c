/**
 * Raised by Lambda when the account runs as many functions as it may. Nothing was invoked, so that another attempt does no harm
 * and costs one transition; how long it takes depends on what else the account runs.
 */
export const THROTTLED = 'Lambda.TooManyRequestsException'

/** Raised when the platform throttles calls. What the rate limit holds back (`lib/records/rate-limiter.ts`) raises it as well. */
const PLATFORM_THROTTLED = 'PlatformThrottledError'

/** Raised when a function exceeds its memory. Most of those end with the second error, because Lambda kills the process. */
export const OUT_OF_MEMORY = 'Runtime.OutOfMemory'
export const PROCESS_ENDED = 'Runtime.ExitError'

/** Transient errors, and nothing else. */
const transient = [
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

/** The same input needs the same memory, unless another invocation had used up the environment's. */
const afterOutOfMemory = { ...backoff, ErrorEquals: [OUT_OF_MEMORY], MaxAttempts: 1, MaxDelaySeconds: 20 } as const

/**
 * Repeats a throttled task of a show for about an hour: a late start is better than none, and the sweep continues what was
 * given up. A thousand shows that start at once may need minutes within the platform's rate. Attempts are at most half a minute apart, so that a show is ahead of publishing, which waits twice as long.
 */
const throttledShow = {
  ...backoff,
  ErrorEquals: [THROTTLED, PLATFORM_THROTTLED],
  MaxAttempts: 240,
  MaxDelaySeconds: 30,
} as const

/**
 * Repeats the start of a child execution that Step Functions has throttled, as long as a throttled task. Nothing was started, so
 * it needs another policy than a child that failed. The developer guide names the first error, and the API reference the others.
 */
export const throttledStart = {
  ...throttledShow,
  ErrorEquals: [
    'StepFunctions.ExecutionLimitExceeded',
    'StepFunctions.ExecutionLimitExceededException',
    'StepFunctions.ThrottlingException',
  ],
} as const

/** Repeats a throttled task of publishing for about 30 minutes, since each wait is half of its limit on average. */
const throttledPublish = {
  ...backoff,
  ErrorEquals: [THROTTLED, PLATFORM_THROTTLED],
  MaxAttempts: 60,
  MaxDelaySeconds: 60,
} as const

/** Repeats what failed for a transient reason. The first attempt follows within a second, all of them within about a minute. */
const transientRetry = { ...backoff, ErrorEquals: transient, MaxAttempts: 6, MaxDelaySeconds: 20 } as const

/** The retries of every task: a repeated task finds the results of its earlier attempts. */
export const taskRetry = [throttledShow, afterOutOfMemory, transientRetry] as const

/**
 * Repeats a callback for about a day while the app does not answer or the deployment lacks something: each wait is half of its limit on average, and the limit
 * grows from 10 s to an hour in the first nine attempts, and stays there for 48 more. The notify machine's timeout is longer
 * than all limits together, so the machine always ends with a message.
 */
const callbackRetry = [
  throttledShow,
  afterOutOfMemory,
  // An event is put on the bus just before it is recorded. One that is not recorded within minutes is forged.
  { ...backoff, ErrorEquals: ['EventNotRecordedError'], IntervalSeconds: 1, MaxAttempts: 9, MaxDelaySeconds: 60 },
  // A deployment that is corrected within the day still notifies the owner.
  {
    ...backoff,
    ErrorEquals: [...transient, 'TaskConfigError'],
    IntervalSeconds: 10,
    MaxAttempts: 57,
    MaxDelaySeconds: 3_600,
  },
] as const

/** Lasts longer than the child execution that observes a show may run. */
const persistent = { MaxAttempts: 500, MaxDelaySeconds: 30 } as const

/**
 * Repeats an observation while the bucket does not answer, for longer than the child execution may run. The next child
 * continues, so a show survives the outage. There is an attempt at least every half minute, to notice changes soon.
 */
const observationRetry = [
  { ...throttledShow, ...persistent },
  afterOutOfMemory,
  { ...transientRetry, ...persistent },
] as const

const publishRetry = [throttledPublish, afterOutOfMemory, transientRetry] as const

const givenUp: readonly string[] = ['Sandbox.Timedout', PROCESS_ENDED, 'Lambda.Unknown', 'States.Timeout']

/**
 * Repeats work on a whole recording: once when it took too long or too much memory, since each attempt may take a quarter of an
 * hour; after throttling and other transient errors as every task.
 */
const longRetry = [
  throttledPublish,
  { ...afterOutOfMemory, ErrorEquals: [OUT_OF_MEMORY, ...givenUp] },
  { ...transientRetry, ErrorEquals: transient.filter((name) => !givenUp.includes(name)) },
] as const

/** Retries of tasks that differ from `taskRetry`. */
export const ownRetries = {
  notifyOwner: callbackRetry,
  watchShow: observationRetry,
  checkAudience: observationRetry,
  takeTurn: publishRetry,
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

export const retriesOf = (task: string): typeof taskRetry | (typeof ownRetries)[keyof typeof ownRetries] =>
  task in ownRetries ? ownRetries[task as keyof typeof ownRetries] : taskRetry
