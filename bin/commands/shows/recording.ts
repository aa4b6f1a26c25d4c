import { Command, Option } from 'commander'
import { archiveIdPattern } from '../../../lib/show/document/fields/names.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { oneLine } from '../../operations/terminal-text.ts'
import { matching } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi, type RecordingAnswer, type ShowApi } from '../../shows/show-api.ts'

interface Options extends TargetOptions {
  readonly accept?: true
  readonly reject?: true
  readonly revokeLinks?: true
  readonly json?: boolean
}

export const recordingCommand = () =>
  withTarget(
    new Command('recording').description(
      'print the published recording of an archive; accept or reject a withheld file',
    ),
  )
    .argument('<id>', 'id of the archive', matching(archiveIdPattern, 'It must be the id of an archive.'))
    .addOption(new Option('--accept', 'publish the withheld file in place of the published one').conflicts('reject'))
    .option('--reject', 'delete the withheld file and keep the published one')
    .addOption(
      new Option('--revoke-links', 'revoke every link to its watch page and make it private').conflicts([
        'accept',
        'reject',
      ]),
    )
    .option('--json', 'print only the answer of the API, as JSON')
    .addHelpText(
      'after',
      '\nA file is withheld if it was uploaded in place of a published one and differs from the record of the platform.',
    )
    .action(runRecording)

async function runRecording(
  archiveId: string,
  { accept, reject, revokeLinks, json, ...where }: Options,
): Promise<void> {
  const { recordings } = createShowApi((await findTarget(where)).access)
  if (revokeLinks) {
    const answer = await recordings.revokeLinks(archiveId)
    return printResult(json, answer, [`The links were revoked of: ${answer.revoked.join(', ')}.`])
  }
  const recording = await recordings.get(archiveId)
  const decision = accept ? 'accept' : reject ? 'reject' : undefined
  if (!decision) return printResult(json, recording, linesOf(recording))
  const answer = await decide(recordings, recording, decision)
  printResult(json, answer, [`The withheld file: ${answer.outcome}.`])
}

function decide(
  recordings: ShowApi['recordings'],
  { archiveId, withheld }: RecordingAnswer,
  decision: 'accept' | 'reject',
) {
  if (!withheld) throw new Error(`The recording ${archiveId} has no withheld file to ${decision}.`)
  const { etag } = withheld
  return decision === 'accept' ? recordings.acceptFile(archiveId, { etag }) : recordings.rejectFile(archiveId, { etag })
}

function linesOf({ archiveId, status, access, message, source, files, withheld }: RecordingAnswer): string[] {
  const published = files.filter(({ role }) => role !== 'hls-media').map(({ role }) => role)
  return [
    `Recording ${archiveId}: ${status}, ${access}, ${source.size} bytes.`,
    ...(published.length > 0 ? [`Published: ${[...new Set(published)].join(', ')}.`] : []),
    ...(message ? [oneLine(message)] : []),
    ...(withheld
      ? [
          `Withheld since ${withheld.since}: a file of ${withheld.size} bytes (${withheld.etag})${withheld.acceptedAt ? ', accepted' : ''}.`,
          ...withheld.differences.map((difference) => `  ${oneLine(difference)}`),
          ...(withheld.acceptedAt ? [] : ['Publish it with --accept, or delete it with --reject.']),
        ]
      : []),
  ]
}
