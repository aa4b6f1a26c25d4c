import { Command } from 'commander'
import { LAST_MARKER, MAX_CLIP } from '../../../lib/show/document/orders/clip.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseArchiveId, parseMoment, wholeNumber } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { clipLines } from '../../recordings/clip-lines.ts'
import { createShowApi } from '../../shows/show-api.ts'

type Options = TargetOptions & { readonly json?: boolean }
type Bound = ReturnType<typeof parseMoment>

interface ClipOptions extends Options {
  readonly from?: Bound
  readonly to?: Bound
  readonly last?: number
}

/** Parses a bound of a clip. @throws InvalidArgumentError for another text */
const parseBound = (text: string): Bound => (text === LAST_MARKER ? text : parseMoment(text))

const CLIP_HELP = `
A bound is seconds of the recording, a time such as 2026-12-01T19:00:00Z, or "last marker".

Examples:
  showrunner recordings clip ID "The demo" --from 754.5 --to 812
  showrunner recordings clip ID "Questions" --from "last marker"
  showrunner recordings clip ID "Finale" --last 60`

export const clipCommand = () =>
  withTarget(new Command('clip').description('cut a clip out of a recording: by HLS at once, and as an MP4'))
    .argument('<id>', 'id of the archive', parseArchiveId)
    .argument('<name>', 'title of the clip')
    .option('--from <bound>', 'start of the clip', parseBound)
    .option('--to <bound>', 'end of the clip (default: the end of the recording)', parseBound)
    .option('--last <seconds>', 'seconds before the end of the recording', wholeNumber(1, MAX_CLIP))
    .option('--json', 'print only the answer of the API, as JSON')
    .addHelpText('after', CLIP_HELP)
    .action(runClip)

export const clipsCommand = () =>
  withTarget(new Command('clips').description('list the clips of a recording, or delete one'))
    .argument('<id>', 'id of the archive', parseArchiveId)
    .option('--delete <clip>', 'id of a clip to delete')
    .option('--json', 'print only the answer of the API, as JSON')
    .addHelpText('after', '\nExample:\n  showrunner recordings clips 9b1c2f1e-6d3a-4c55-8f0e-2a7d1c9be001')
    .action(runClips)

async function runClip(
  archiveId: string,
  name: string,
  { from, to, last, json, ...where }: ClipOptions,
): Promise<void> {
  const { clips } = createShowApi((await findTarget(where)).access)
  const order = {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(last !== undefined && { last }),
  }
  const clip = await clips.create(archiveId, { name, ...order })
  printResult(json, clip, [...clipLines(clip), 'The MP4 follows; `recordings clips` prints it.'])
}

async function runClips(
  archiveId: string,
  { delete: clipId, json, ...where }: Options & { readonly delete?: string },
): Promise<void> {
  const { clips } = createShowApi((await findTarget(where)).access)
  if (clipId !== undefined) {
    const deleted = await clips.delete(archiveId, clipId)
    return printResult(json, deleted, [`The clip ${clipId} was deleted.`])
  }
  const found = await clips.list(archiveId)
  const lines = found.items.flatMap((clip) => clipLines(clip))
  printResult(json, found, lines.length > 0 ? lines : ['The recording has no clips.'])
}
