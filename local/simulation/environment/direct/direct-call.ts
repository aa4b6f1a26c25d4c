import type { Cloud } from '../../../cloud/cloud.ts'
import type { TracedCall } from '../../trace.ts'

/** The parts of the cloud that answer without a request. */
export interface DirectCloud extends Pick<Cloud, 's3' | 'secrets' | 'stepFunctions' | 'events' | 'scheduler'> {
  /** Entries on a page of an index, as of `withShortPages`. @default as many as asked for */
  readonly pageSize?: number | undefined
}

/** The outcome of a call that was answered directly. */
export interface DirectAnswer extends Partial<Pick<TracedCall, 'status' | 'path' | 'version'>> {
  /** The output of the SDK, or the error that it throws. */
  readonly output: object
}

export interface DirectCall {
  /** The name of the call’s request, as in the trace. */
  readonly name: string
  /** Resolves with undefined if only a request can be answered. */
  readonly act: () => Promise<DirectAnswer | undefined>
}

/** The metadata of an output. */
export const METADATA = { $metadata: { httpStatusCode: 200 } } as const
