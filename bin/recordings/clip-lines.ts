import type { Clip, ShowClip } from '../../lib/client/documents.ts'
import { oneLine } from '../operations/terminal-text.ts'
import { printResult } from '../print.ts'

/** Describes a clip with its links, for the terminal. */
export function clipLines({ clipId, name, from, to, status, problem, watch, hls, file }: Clip | ShowClip): string[] {
  return [
    `${clipId}  ${oneLine(name)}  ${from} s to ${to} s, ${status}`,
    ...(watch ? [`  Watch  ${watch.url}`] : []),
    ...(hls ? [`  HLS    ${hls.url}`] : []),
    ...(status === 'queued' ? ['  It is cut once the recording of the show is published.'] : []),
    ...(file ? [`  MP4    ${file.url}`] : []),
    ...(problem === undefined ? [] : [`  ${oneLine(problem)}`]),
  ]
}

/** The calls of the API that list clips and delete one. */
interface ClipCalls {
  list(): Promise<{ readonly items: readonly (Clip | ShowClip)[] }>
  delete(clipId: string): Promise<unknown>
}

/** Deletes a clip if its id is given, and prints the answer; otherwise prints the clips of `owner`, such as `show`. */
export async function listOrDeleteClips(
  owner: string,
  calls: ClipCalls,
  { delete: clipId, json }: { readonly delete?: string | undefined; readonly json?: boolean | undefined },
): Promise<void> {
  if (clipId !== undefined) return printResult(json, await calls.delete(clipId), [`The clip ${clipId} was deleted.`])
  const found = await calls.list()
  const lines = found.items.flatMap(clipLines)
  printResult(json, found, lines.length > 0 ? lines : [`The ${owner} has no clips.`])
}
