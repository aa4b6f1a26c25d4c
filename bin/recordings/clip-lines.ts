import type { Clip, ShowClip } from '../../lib/client/documents.ts'
import { oneLine } from '../operations/terminal-text.ts'

/** Describes a clip with its links, for the terminal. */
export function clipLines({ clipId, name, from, to, status, problem, watch, hls, file }: Clip | ShowClip): string[] {
  return [
    `${clipId}  ${oneLine(name)}  ${from} s to ${to} s, ${status}`,
    `  Watch  ${watch.url}`,
    `  HLS    ${hls.url}`,
    ...(file ? [`  MP4    ${file.url}`] : []),
    ...(problem === undefined ? [] : [`  ${oneLine(problem)}`]),
  ]
}
