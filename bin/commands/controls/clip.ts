import { Command } from 'commander'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseShowId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { clipLines, listOrDeleteClips } from '../../recordings/clip-lines.ts'
import {
  type ClipBounds,
  type ClipListOptions,
  givenBounds,
  withClipList,
  withClipOrder,
} from '../../recordings/clip-options.ts'
import { createShowApi } from '../../shows/show-api.ts'

interface ClipOptions extends TargetOptions, ClipBounds {
  readonly broadcast?: string
  readonly json?: boolean
}

const CLIP_HELP = `
A bound is seconds of live time, a time such as 2026-12-01T19:00:00Z, or "last marker".

Examples:
  showrunner clip launch-webinar-20261122 "The demo" --last 60
  showrunner clip launch-webinar-20261122 "Questions" --from "last marker"`

export const clipCommand = () =>
  withClipOrder(
    withTarget(
      new Command('clip').description('cut a clip out of a live show: by HLS at once, and as an MP4'),
    ).argument('<id>', 'id of the show', parseShowId),
    { to: 'now', last: 'the last seconds' },
  )
    .option('--broadcast <name>', 'broadcast that it is cut from (default: the first one with HLS)')
    .addHelpText('after', CLIP_HELP)
    .action(runClip)

export const clipsCommand = () =>
  withClipList(
    withTarget(new Command('clips').description('list the clips that were cut out of a live show, or delete one')),
  )
    .argument('<id>', 'id of the show', parseShowId)
    .addHelpText('after', '\nExample:\n  showrunner clips launch-webinar-20261122')
    .action(runClips)

async function runClip(
  showId: string,
  name: string,
  { from, to, last, broadcast, json, ...where }: ClipOptions,
): Promise<void> {
  const { clips } = createShowApi((await findTarget(where)).access)
  const order = { name, ...givenBounds({ from, to, last }), ...(broadcast !== undefined && { broadcast }) }
  const clip = await clips.createLive(showId, order)
  const next = clip.status === 'queued' ? '`clips` prints its links then.' : 'The MP4 follows; `clips` prints it.'
  printResult(json, clip, [...clipLines(clip), next])
}

async function runClips(showId: string, { delete: clipId, json, ...where }: ClipListOptions): Promise<void> {
  const { clips } = createShowApi((await findTarget(where)).access)
  const calls = { list: () => clips.listLive(showId), delete: (id: string) => clips.deleteLive(showId, id) }
  await listOrDeleteClips('show', calls, { delete: clipId, json })
}
