import type { Archive } from '../../platform/client/answers.ts'
import { isTagOf, partOfTag } from '../document/fields/names.ts'
import { withPart } from '../state/part-entries.ts'
import type { BroadcastState, RecordingState, SceneState } from '../state/resources.ts'
import type { ShowState } from '../state/state.ts'
import { type Broadcast, tagOfArchive } from './adoption.ts'
import type { Observation } from './observation.ts'
import { withoutProblem } from './resource-entries.ts'
import { seenBroadcast } from './start-parts.ts'

/** The state with what was just seen. What nobody noted when it was started is found by its tag; what was not seen stays. */
export function mergeObservation(state: ShowState, { archives, broadcasts, composers, gone }: Observation): ShowState {
  return {
    ...state,
    recordings: archives
      .toReversed()
      .reduce((entries, archive) => withArchive(state.showId, entries, archive), state.recordings),
    broadcasts: broadcasts
      .toReversed()
      .reduce((entries, broadcast) => withBroadcast(state.showId, entries, broadcast), state.broadcasts)
      .map((one) => (gone.includes(one.broadcastId ?? '') ? { ...one, status: 'stopped' as const } : one)),
    scenes: state.scenes.map((scene) => {
      const composer = composers.find(({ id }) => id === scene.composerId)
      if (composer) return { ...scene, ...seenComposer(composer) }
      return gone.includes(scene.composerId ?? '') ? { ...scene, status: 'stopped' as const } : scene
    }),
  }
}

function withArchive(showId: string, entries: RecordingState[], archive: Archive): RecordingState[] {
  const tag = tagOfArchive(archive)
  const place = isTagOf(showId, tag) ? partOfTag(tag) : undefined
  const known = entries.find(({ archiveId }) => archiveId === archive.id)
  if (known) return withPart(entries, { ...known, ...seenArchive(archive) })
  if (!place || tag === undefined || !entries.some(({ name }) => name === place.name)) return entries
  const unnoted = entries.find(({ name, part }) => name === place.name && part === place.part)
  if (unnoted?.archiveId) return entries // another one of the same tag: the noted one is the show's
  return withPart(entries, {
    name: place.name,
    part: place.part,
    tag,
    ...(unnoted && withoutProblem(unnoted)),
    ...seenArchive(archive),
  })
}

function withBroadcast(showId: string, entries: BroadcastState[], broadcast: Broadcast): BroadcastState[] {
  const tag = broadcast.multiBroadcastTag
  const place = isTagOf(showId, tag) ? partOfTag(tag) : undefined
  const known = entries.find(({ broadcastId }) => broadcastId === broadcast.id)
  if (known) return withPart(entries, { ...known, ...seenBroadcast(broadcast) })
  if (!place || tag === undefined || !entries.some(({ name }) => name === place.name)) return entries
  const unnoted = entries.find(({ name, part }) => name === place.name && part === place.part)
  if (unnoted?.broadcastId) return entries
  return withPart(entries, {
    name: place.name,
    part: place.part,
    tag,
    ...(unnoted && withoutProblem(unnoted)),
    ...seenBroadcast(broadcast),
  })
}

const seenArchive = ({ id: archiveId, createdAt, status, reason }: Archive) => ({
  archiveId,
  createdAt: new Date(createdAt).toISOString(),
  status,
  ...(reason && { reason }),
})

function seenComposer({ createdAt, status, reason, streamId }: Observation['composers'][number]): Partial<SceneState> {
  return {
    createdAt: new Date(createdAt).toISOString(),
    status,
    ...(reason && { reason }),
    ...(streamId && { streamId }),
  }
}
