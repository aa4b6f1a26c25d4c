import type { DeletedRecording } from '../../lib/client/documents.ts'
import { columns, oneLine } from '../operations/terminal-text.ts'
import { labelOf } from '../shows/outcome.ts'
import { inMegabytes } from '../shows/progress.ts'
import type { RecordingAnswer } from '../shows/show-api.ts'
import { localMinute } from '../terminal/local-time.ts'

/** Formats recordings as a table, with the link to the watch page of each in the next line. */
export function recordingTable(recordings: readonly RecordingAnswer[]): string[] {
  if (recordings.length === 0) return ['No recordings.']
  const rows = recordings.map(({ archiveId, status, createdAt, duration, source, show }) => [
    archiveId,
    status,
    localMinute(createdAt),
    duration === null ? '' : `${Math.round(duration)} s`,
    inMegabytes(source.size),
    show ? oneLine(labelOf(show)) : '',
    show?.showId ?? '',
  ])
  const [head = '', ...lines] = columns([
    ['RECORDING', 'STATUS', 'RECORDED', 'DURATION', 'SIZE', 'NAME', 'SHOW'],
    ...rows,
  ])
  return [head, ...lines.flatMap((line, index) => [line, ...watchLine(recordings[index])])]
}

const watchLine = (recording: RecordingAnswer | undefined) =>
  recording && recording.status !== 'failed' ? [`  ${recording.watch.url}`] : []

/** Formats deleted recordings as a table. */
export const deletedTable = (recordings: readonly DeletedRecording[]): string[] =>
  recordings.length === 0
    ? ['No deleted recordings.']
    : columns([
        ['RECORDING', 'DELETED', 'RESTORABLE UNTIL', 'NAME', 'SHOW'],
        ...recordings.map(({ archiveId, deletedAt, restorableUntil, show }) => [
          archiveId,
          localMinute(deletedAt),
          localMinute(restorableUntil),
          show ? oneLine(labelOf(show)) : '',
          show?.showId ?? '',
        ]),
      ])

/** Formats one recording with its files and, if there is one, the withheld file. */
export function recordingLines(recording: RecordingAnswer): string[] {
  const { archiveId, status, access, message, source, files, withheld, watch } = recording
  const published = files.filter(({ role }) => role !== 'hls-media').map(({ role }) => role)
  return [
    `Recording ${archiveId}: ${status}, ${access}, ${source.size} bytes.`,
    ...(published.length > 0 ? [`Published: ${[...new Set(published)].join(', ')}.`] : []),
    ...(message ? [oneLine(message)] : []),
    ...(status === 'failed' ? [] : [`Watch it: ${watch.url}`]),
    ...(withheld
      ? [
          `Withheld since ${localMinute(withheld.since)}: a file of ${withheld.size} bytes (${withheld.etag})${withheld.acceptedAt ? ', accepted' : ''}.`,
          ...withheld.differences.map((difference) => `  ${oneLine(difference)}`),
          ...(withheld.acceptedAt
            ? []
            : [
                `Publish it with \`recordings accept ${archiveId}\`, or delete it with \`recordings reject ${archiveId}\`.`,
              ]),
        ]
      : []),
  ]
}
