import { Command } from 'commander'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseArchiveId } from '../../parsers.ts'
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
  readonly json?: boolean
}

const CLIP_HELP = `
A bound is seconds of the recording, a time such as 2026-12-01T19:00:00Z, or "last marker".

Examples:
  showrunner recordings clip ID "The demo" --from 754.5 --to 812
  showrunner recordings clip ID "Questions" --from "last marker"
  showrunner recordings clip ID "Finale" --last 60`

export const clipCommand = () =>
  withClipOrder(
    withTarget(
      new Command('clip').description('cut a clip out of a recording: by HLS at once, and as an MP4'),
    ).argument('<id>', 'id of the archive', parseArchiveId),
    { to: 'the end of the recording', last: 'seconds before the end of the recording' },
  )
    .addHelpText('after', CLIP_HELP)
    .action(runClip)

export const clipsCommand = () =>
  withClipList(withTarget(new Command('clips').description('list the clips of a recording, or delete one')))
    .argument('<id>', 'id of the archive', parseArchiveId)
    .addHelpText('after', '\nExample:\n  showrunner recordings clips 9b1c2f1e-6d3a-4c55-8f0e-2a7d1c9be001')
    .action(runClips)

async function runClip(archiveId: string, name: string, { json, ...options }: ClipOptions): Promise<void> {
  const { from, to, last, ...where } = options
  const { clips } = createShowApi((await findTarget(where)).access)
  const clip = await clips.create(archiveId, { name, ...givenBounds({ from, to, last }) })
  printResult(json, clip, [...clipLines(clip), 'The MP4 follows; `recordings clips` prints it.'])
}

async function runClips(archiveId: string, { delete: clipId, json, ...where }: ClipListOptions): Promise<void> {
  const { clips } = createShowApi((await findTarget(where)).access)
  const calls = { list: () => clips.list(archiveId), delete: (id: string) => clips.delete(archiveId, id) }
  await listOrDeleteClips('recording', calls, { delete: clipId, json })
}
