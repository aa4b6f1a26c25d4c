/** What may pass by itself, and nothing else. */
const passing = [
  'PlatformThrottledError',
  'PlatformUnavailableError',
  'StorageError',
  'ServiceError',
  'Lambda.TooManyRequestsException',
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Sandbox.Timedout', // the function's own timeout
  'Runtime.ExitError',
  'States.Timeout',
] as const

/**
 * How every task is retried by its machine. The first try again comes within a second, all of them within about a minute; a
 * task that is repeated finds what it did before.
 */
export const taskRetry = [
  {
    ErrorEquals: passing,
    IntervalSeconds: 1,
    BackoffRate: 2,
    MaxAttempts: 6,
    MaxDelaySeconds: 20,
    JitterStrategy: 'FULL',
  },
] as const

/**
 * How a callback is repeated while the app does not answer: for about a day, since each wait is on average half as long as
 * its limit, which grows from 10 s to an hour in the first nine and stays there for 48 more. The tell machine's own timeout
 * is longer than all the limits together, so that what is given up is given up in words.
 */
const callbackRetry = [
  {
    ErrorEquals: passing,
    IntervalSeconds: 10,
    BackoffRate: 2,
    MaxAttempts: 57,
    MaxDelaySeconds: 3_600,
    JitterStrategy: 'FULL',
  },
] as const

/**
 * How a look is repeated while the bucket, or whatever else it needs, does not answer: for longer than the child that looks
 * may run, so that the next one goes on, and a show lives through the outage as it lives through the platform's. A try comes
 * at least every half minute, so that what has happened meanwhile is noticed as soon as it can be.
 */
const lookRetry = [
  {
    ErrorEquals: passing,
    IntervalSeconds: 1,
    BackoffRate: 2,
    MaxAttempts: 500,
    MaxDelaySeconds: 30,
    JitterStrategy: 'FULL',
  },
] as const

const givenUp: readonly string[] = ['Sandbox.Timedout', 'Runtime.ExitError', 'States.Timeout']

/**
 * How work on a whole recording is repeated: once when it took too long or too much memory, since it would again, and a quarter
 * of an hour each time; what passes by itself as everywhere.
 */
const longRetry = [
  { ...taskRetry[0], ErrorEquals: givenUp, MaxAttempts: 1 },
  { ...taskRetry[0], ErrorEquals: passing.filter((name) => !givenUp.includes(name)) },
] as const

/** Tasks that are retried otherwise than all others. */
export const ownRetries = {
  tellOwner: callbackRetry,
  watchShow: lookRetry,
  checkAudience: lookRetry,
  composePiece: longRetry,
  mixAudio: longRetry,
  assembleComposite: longRetry,
  makeStreamable: longRetry,
  makeThumbnails: longRetry,
  cutPiece: longRetry,
  encodePiece: longRetry,
  copySound: longRetry,
  measureSound: longRetry,
  findChapters: longRetry,
  hashSource: longRetry,
} as const

/** The `Retry` of every state that runs the task. */
export const retriesOf = (task: string): typeof taskRetry | (typeof ownRetries)[keyof typeof ownRetries] =>
  task in ownRetries ? ownRetries[task as keyof typeof ownRetries] : taskRetry
