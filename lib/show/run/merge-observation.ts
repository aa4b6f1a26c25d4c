import { isTagOf, partOfTag } from '../document/fields/names.ts'
import { withPart } from '../state/part-entries.ts'
import type { ShowState } from '../state/state.ts'
import { carriedTag } from './composed-resources.ts'
import type { Seen } from './observation.ts'
import { observedArchive, observedBroadcast, observedComposer } from './observed-entries.ts'
import { withoutProblem } from './resource-entries.ts'

/** Returns the state with what was observed. A part whose start was not noted is found by its tag. */
export function mergeObservation(state: ShowState, { archives, broadcasts, composers, gone }: Seen): ShowState {
  const { showId } = state
  return {
    ...state,
    recordings: archives.toReversed().reduce((entries, archive) => {
      const observed = { tag: carriedTag(archive), id: archive.id, entry: observedArchive(archive) }
      return withObserved(showId, entries, observed, ({ archiveId }) => archiveId)
    }, state.recordings),
    broadcasts: broadcasts
      .toReversed()
      .reduce((entries, broadcast) => {
        const observed = { tag: carriedTag(broadcast), id: broadcast.id, entry: observedBroadcast(broadcast) }
        return withObserved(showId, entries, observed, ({ broadcastId }) => broadcastId)
      }, state.broadcasts)
      .map((one) => (gone.includes(one.broadcastId ?? '') ? { ...one, status: 'stopped' as const } : one)),
    scenes: state.scenes.map((scene) => {
      const composer = composers.find(({ id }) => id === scene.composerId)
      if (composer) return { ...scene, ...observedComposer(composer) }
      return gone.includes(scene.composerId ?? '') ? { ...scene, status: 'stopped' as const } : scene
    }),
  }
}

interface ObservedPart<Entry> {
  readonly id: string
  readonly tag: string | null | undefined
  readonly entry: Partial<Entry>
}

function withObserved<Entry extends { name: string; part: number; tag: string; problem?: string | undefined }>(
  showId: string,
  entries: Entry[],
  { id, tag, entry }: ObservedPart<Entry>,
  idOf: (entry: Entry) => string | undefined,
): Entry[] {
  const known = entries.find((one) => idOf(one) === id)
  if (known) return withPart(entries, { ...known, ...entry })
  const place = tag && isTagOf(showId, tag) ? partOfTag(tag) : undefined
  if (!place || !entries.some(({ name }) => name === place.name)) return entries
  const unnoted = entries.find(({ name, part }) => name === place.name && part === place.part)
  if (unnoted && idOf(unnoted)) return entries // the noted resource is the show's, and this one has the same tag
  const { name, part } = place
  return withPart(entries, { name, part, tag, ...(unnoted && withoutProblem(unnoted)), ...entry } as Entry)
}
