import { Command } from 'commander'
import { LAST_MARKER, MAX_CLIP } from '../../../lib/show/document/orders/clip.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseMoment, parseShowId, wholeNumber } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { clipLines } from '../../recordings/clip-lines.ts'
import { createShowApi } from '../../shows/show-api.ts'

type Options = TargetOptions & { readonly json?: boolean }
type Bound = ReturnType<typeof parseMoment>

interface ClipOptions extends Options {
  readonly from?: Bound
  readonly to?: Bound
  readonly last?: number
  readonly broadcast?: string
}

/** Parses a bound of a clip. @throws InvalidArgumentError for another text */
const parseBound = (text: string): Bound => (text === LAST_MARKER ? text : parseMoment(text))

const CLIP_HELP = `
A bound is seconds of live time, a time such as 2026-12-01T19:00:00Z, or "last marker".

Examples:
  showrunner clip launch-webinar-20261122 "The demo" --last 60
  showrunner clip launch-webinar-20261122 "Questions" --from "last marker"`

export const clipCommand = () =>
  withTarget(new Command('clip').description('cut a clip out of a live show: by HLS at once, and as an MP4'))
    .argument('<id>', 'id of the show', parseShowId)
    .argument('<name>', 'title of the clip')
    .option('--from <bound>', 'start of the clip', parseBound)
    .option('--to <bound>', 'end of the clip (default: now)', parseBound)
    .option('--last <seconds>', 'the last seconds', wholeNumber(1, MAX_CLIP))
    .option('--broadcast <name>', 'broadcast that it is cut from (default: the first one with HLS)')
    .option('--json', 'print only the answer of the API, as JSON')
    .addHelpText('after', CLIP_HELP)
    .action(runClip)

export const clipsCommand = () =>
  withTarget(new Command('clips').description('list the clips that were cut out of a live show, or delete one'))
    .argument('<id>', 'id of the show', parseShowId)
    .option('--delete <clip>', 'id of a clip to delete')
    .option('--json', 'print only the answer of the API, as JSON')
    .addHelpText('after', '\nExample:\n  showrunner clips launch-webinar-20261122')
    .action(runClips)

async function runClip(
  showId: string,
  name: string,
  { from, to, last, broadcast, json, ...where }: ClipOptions,
): Promise<void> {
  const { clips } = createShowApi((await findTarget(where)).access)
  const clip = await clips.createLive(showId, {
    name,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(last !== undefined && { last }),
    ...(broadcast !== undefined && { broadcast }),
  })
  printResult(json, clip, [...clipLines(clip), 'The MP4 follows; `clips` prints it.'])
}

async function runClips(
  showId: string,
  { delete: clipId, json, ...where }: Options & { readonly delete?: string },
): Promise<void> {
  const { clips } = createShowApi((await findTarget(where)).access)
  if (clipId !== undefined) {
    const deleted = await clips.deleteLive(showId, clipId)
    return printResult(json, deleted, [`The clip ${clipId} was deleted.`])
  }
  const found = await clips.listLive(showId)
  const lines = found.items.flatMap((clip) => clipLines(clip))
  printResult(json, found, lines.length > 0 ? lines : ['The show has no clips.'])
}
