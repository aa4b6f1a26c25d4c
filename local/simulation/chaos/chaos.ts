import type { Undecodable } from '../environment/media/undecodable-media.ts'
import type { Damage } from '../environment/platform/file-damage.ts'

/** Faults beside the calls of a show, as data that can be shrunk. Times are seconds since the world began. */
export interface Chaos {
  /** The platform’s process stops, and starts again after `down` seconds. */
  readonly restarts?: readonly { readonly at: number; readonly down: number }[]
  /** A running execution of Showrunner is stopped. The seed picks it. */
  readonly aborts?: readonly number[]
  /** A resource of the platform fails, as soon as one of its kind runs, or as soon as a next part begins. The seed picks it. */
  readonly failures?: readonly { readonly at: number; readonly of: Breakable; readonly isNextPart?: boolean }[]
  /** The connections of all RTMP outputs are lost, and renewed after some seconds. */
  readonly unstableOutputs?: readonly { readonly at: number; readonly seconds: number }[]
  /** Number of uploads that fail permanently, from the first. */
  readonly failedUploads?: number
  /** Seconds by which the first uploads begin late. */
  readonly slowUploads?: readonly number[]
  /** Number of recorded files that are half as long as the platform reports, from the first. */
  readonly truncatedFiles?: number
  /**
   * A file of the first show that is over is replaced by its first half, or by a shorter recording, of the same or another size.
   */
  readonly replacesFile?: 'half' | 'shorter' | 'other'
  /** The first file that is published is replaced by its first half before its recording is complete. @default it is not */
  readonly replacesReadyFile?: boolean
  /** Each file is uploaded again, a minute after its recording is complete. @default none is */
  readonly repeatsUploads?: boolean
  /** A time in which no picture can be decoded, as with another version of ffmpeg. */
  readonly undecodable?: Undecodable
  /** Damage of the first downloads from the platform’s storage. */
  readonly downloads?: readonly Damage[]
  /** Secrets are rotated, by an operator or on schedule. */
  readonly rotations?: readonly { readonly at: number; readonly of: RotatedSecret }[]
  /** The upload key is replaced, and every former one revoked, by an operator who has lost it. */
  readonly revocations?: readonly number[]
  /** Other bundles and definitions are deployed. They behave as before. */
  readonly deployments?: readonly number[]
  /** Number of shows before this one whose post was interrupted: the sweep’s list names them. */
  readonly interruptedPosts?: number
  /** Entries on a page of the bucket’s listings: S3 may return fewer than it is asked for. @default as many as asked for */
  readonly pageSize?: number
  /** Publishes that may have a turn at once. @default two, so that the recordings of one show wait for one another */
  readonly maxPublishes?: number
  /** Calls of the platform in a second that all functions share once it throttles. @default those of a deployment */
  readonly callsPerSecond?: number
  /** Insights report usage, and with the add-on meetings and quality. The simulation continues until it is recorded. */
  readonly insights?: 'basic' | 'advanced'
  readonly suspensions?: readonly { readonly at: number; readonly seconds: number }[]
  /** All participants leave. They return after `back` seconds, if it is set. */
  readonly exoduses?: readonly { readonly at: number; readonly back?: number }[]
  /** Seconds for which lists miss a new resource, up to 15. */
  readonly listLag?: number
  /** The platform knows no broadcast that was stopped. @default it describes them */
  readonly forgetsBroadcasts?: boolean
  /** The platform posts callbacks to Showrunner, as an operator registers them. @default it posts none */
  readonly callbacks?: boolean
  /** Shares of the bus’s events that arrive twice and late, by up to `latest` seconds. With 0 they arrive twice at once. */
  readonly events?: { readonly twice: number; readonly late: number; readonly latest: number }
  /** Share of the events of schedules and buses for which Lambda invokes a function twice. */
  readonly invokedTwice?: number
  /** Seconds by which the platform’s clock is ahead of the clock of AWS; behind it, if negative. */
  readonly clockSkew?: number
}

/** Secrets that can be rotated during shows, by the stack’s output with the ARN of each. */
export const rotatedSecrets = {
  'upload key': 'UploadKeySecretArn',
  'callback key': 'CallbackKeySecretArn',
  'project secret': 'ProjectSecretArn',
} as const
export type RotatedSecret = keyof typeof rotatedSecrets

/** Resources that can fail. A composer or a call fails when its client is disconnected. */
export const breakables = ['archive', 'broadcast', 'rtmp target', 'composer', 'call'] as const
export type Breakable = (typeof breakables)[number]
