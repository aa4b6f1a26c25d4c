/**
 * How every task is retried by its machine: what may pass by itself, and nothing else. The first try again comes within a
 * second, all of them within about a minute; a task that is repeated finds what it did before.
 */
export const taskRetry = [
  {
    ErrorEquals: [
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
    ],
    IntervalSeconds: 1,
    BackoffRate: 2,
    MaxAttempts: 6,
    MaxDelaySeconds: 20,
    JitterStrategy: 'FULL',
  },
] as const
