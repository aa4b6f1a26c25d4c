/**
 * Showrunner's own errors, classified by what the workflow does next; the platform's are in `lib/platform/client`, media's
 * in `lib/media`. `name` is a literal because Step Functions matches it and minifiers rename classes.
 */

/** Thrown when a task cannot work with its input. It fails, and an operator must act. */
export class TaskInputError extends Error {
  override readonly name = 'TaskInputError'
}

/** Thrown when a show is over or stopping, so that nothing may be started in it. */
export class ShowStoppedError extends Error {
  override readonly name = 'ShowStoppedError'
}

/** Thrown when the deployment lacks a variable or a secret, or has an unsuitable ffmpeg. It fails, and an operator must act. */
export class TaskConfigError extends Error {
  override readonly name = 'TaskConfigError'
}

/** Thrown when an AWS service other than the bucket, or an app that receives callbacks, fails. It is retried. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
}

/** Thrown when the records lack an event. It is retried for minutes, because an event is published before it is recorded. */
export class EventNotRecordedError extends Error {
  override readonly name = 'EventNotRecordedError'
  /** The first attempt is usually too early. Only the last one, which the execution reports, is a failure. */
  readonly isExpected = true
}

/** Thrown when the bucket fails. It is retried. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
}
