import type { ComposedResource, StreamsBody } from '../composed-resources.ts'
import { isGone, onError } from '../platform-errors.ts'

type Selected = readonly { readonly streamId: string; readonly hasAudio: boolean; readonly hasVideo: boolean }[]

/** Returns changes that repeat the stream selection of a running archive or broadcast with stream mode `manual`. */
export const selectionOf = (resource: { readonly streams?: Selected | undefined }): StreamsBody[] =>
  (resource.streams ?? []).map(({ streamId, ...tracks }) => ({ addStream: streamId, ...tracks }))

/** Gives a part that has just started the streams of the part before it. Streams that have left meanwhile are omitted. */
export async function selectStreams(
  { changeStreams }: Pick<ComposedResource<never, never>, 'changeStreams'>,
  id: string,
  selection: readonly StreamsBody[],
): Promise<void> {
  for (const body of selection) await changeStreams(id, body).catch(onError(isGone, undefined))
}
