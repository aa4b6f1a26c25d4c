import { Command, InvalidArgumentError, Option } from 'commander'
import { archiveIdPattern } from '../../../lib/show/document/fields/names.ts'
import { oneLine } from '../../operations/show-words.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { createShowApi, type RecordingAnswer, type ShowApi } from '../../shows/show-api.ts'

interface Options extends TargetOptions {
  readonly accept?: true
  readonly reject?: true
  readonly revokeLinks?: true
  readonly json?: boolean
}

export const recordingCommand = () =>
  withTarget(
    new Command('recording').description('print what is published of an archive; accept or reject a withheld file'),
  )
    .argument('<id>', 'of the archive', parseArchiveId)
    .addOption(
      new Option('--accept', 'publish the withheld file in the place of the published one').conflicts('reject'),
    )
    .option('--reject', 'delete the withheld file; the published one takes its place again')
    .addOption(
      new Option('--revoke-links', 'end every link to its watch page, and make it private').conflicts([
        'accept',
        'reject',
      ]),
    )
    .option('--json', 'print what the API says as JSON and nothing else')
    .addHelpText(
      'after',
      '\nA file is withheld when it came in the place of a published one and differs from the platform’s record.',
    )
    .action(run)

async function run(archiveId: string, { accept, reject, revokeLinks, json, ...where }: Options): Promise<void> {
  const api = createShowApi((await findTarget(where)).access)
  const print = (answer: unknown, words: readonly string[]) =>
    void process.stdout.write(`${json ? JSON.stringify(answer, null, 2) : words.join('\n')}\n`)
  if (revokeLinks) {
    const answer = await api.revokeLinks(archiveId)
    return print(answer, [`Links have ended of: ${answer.revoked.join(', ')}.`])
  }
  const recording = await api.recording(archiveId)
  const verdict = accept ? 'accept' : reject ? 'reject' : undefined
  if (!verdict) return print(recording, linesOf(recording))
  const answer = await judge(api, recording, verdict)
  print(answer, [`The withheld file: ${answer.outcome}.`])
}

function judge(api: ShowApi, { archiveId, withheld }: RecordingAnswer, verdict: 'accept' | 'reject') {
  if (!withheld) throw new Error(`No file of the recording ${archiveId} is withheld: there is nothing to ${verdict}.`)
  return api.judge(archiveId, verdict, withheld.etag)
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

function parseArchiveId(text: string): string {
  if (archiveIdPattern.test(text)) return text
  throw new InvalidArgumentError('It must be the id of an archive.')
}
