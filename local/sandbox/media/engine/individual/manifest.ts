import { timeOf } from '../../timebase.ts'
import type { IndividualSetup } from '../commands.ts'
import type { EngineParticipant } from '../session.ts'
import type { FinishedStream } from './stream-file.ts'

/** A stream's file with its start and end, in frames of the archive. */
export interface RecordedStream extends FinishedStream {
  readonly participant: Pick<EngineParticipant, 'streamId' | 'connectionData' | 'videoType'>
  readonly start: number
  readonly stop: number
}

/** Writes the manifest with the stream of each file and its start and end, in milliseconds of the archive without pauses. */
export function writeManifest(
  { id, sessionId, manifest: { name = '', createdAt } }: Pick<IndividualSetup, 'id' | 'sessionId' | 'manifest'>,
  streams: readonly RecordedStream[],
): string {
  const files = streams.map(({ filename, size, participant, start, stop }) => ({
    connectionData: participant.connectionData ?? '',
    filename,
    size,
    startTimeOffset: Math.round(timeOf(start)),
    stopTimeOffset: Math.round(timeOf(stop)),
    streamId: participant.streamId,
    videoType: participant.videoType,
  }))
  return JSON.stringify({ id, name, sessionId, createdAt, files })
}
