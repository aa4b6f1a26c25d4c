import type { PlatformClient } from '../../platform/client/client.ts'
import { isGone, onError } from './platform-errors.ts'

interface Choice {
  readonly addStream: string
  readonly hasAudio: boolean
  readonly hasVideo: boolean
}

type Chosen = readonly { readonly streamId: string; readonly hasAudio: boolean; readonly hasVideo: boolean }[]

/** The streams that were chosen for a running archive or broadcast of stream mode `manual`; none once it has ended. */
export const choicesOf = (resource: { readonly streams?: Chosen | undefined }): Choice[] =>
  (resource.streams ?? []).map(({ streamId, ...tracks }) => ({ addStream: streamId, ...tracks }))

/** Gives a part that has just begun the streams of the one before it; one that has left meanwhile is left out. */
export async function chooseStreams(
  platform: PlatformClient,
  part: { readonly archiveId: string } | { readonly broadcastId: string },
  choices: readonly Choice[],
): Promise<void> {
  for (const choice of choices) {
    const change =
      'archiveId' in part
        ? platform.changeArchiveStreams({ ...part, ...choice })
        : platform.changeBroadcastStreams({ ...part, ...choice })
    await change.catch(onError(isGone, undefined))
  }
}
