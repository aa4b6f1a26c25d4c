/**
 * Showrunner's own errors, classified by what the workflow does next; the platform's are in `lib/platform/client`, media's
 * in `lib/media`. `name` is a literal because Step Functions matches it and minifiers rename classes.
 */

/** The task was given something it cannot work with: fails, and a person must look. */
export class TaskInputError extends Error {
  override readonly name = 'TaskInputError'
}

/** The show is over, or was asked to stop: nothing is started in it any more. */
export class ShowStoppedError extends Error {
  override readonly name = 'ShowStoppedError'
}

/** The deployment is wrong (a variable or a secret is missing, or ffmpeg does not fit): fails, and a person must look. */
export class TaskConfigError extends Error {
  override readonly name = 'TaskConfigError'
}

/** A service of AWS other than the bucket, or an app that is called back, did not do what it was asked for: retried. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
}

/** An event that the records do not hold: they may still be written, because it is put on the bus first. Retried briefly. */
export class EventNotRecordedError extends Error {
  override readonly name = 'EventNotRecordedError'
}

/** The bucket did not do what it was asked for: retried. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
}
