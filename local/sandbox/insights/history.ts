import { outputModeOf } from '../archives/archive-files.ts'
import { audibleAndVisible } from '../participants/presence.ts'
import type { SandboxParts } from '../parts.ts'
import type { ArchiveRecord, BroadcastRecord } from '../state/records.ts'
import type { Span } from '../state/spans.ts'
import type { AllTransitions } from '../state/transitions.ts'

/** Recorder of clients, streams, archives and broadcasts as spans. */
export type History = ReturnType<typeof createHistory>

export function createHistory(
  parts: Pick<SandboxParts, 'store' | 'presence' | 'now'> & {
    transitions: Pick<AllTransitions, 'archives' | 'broadcasts'>
  },
) {
  const { store, now, presence, transitions } = parts
  const open = new Map<string, string>()

  function begin(span: NewSpan): void {
    const id = `${span.subject}/${store.spans.count({ subject: span.subject })}`
    store.spans.insert({ ...span, id, start: now() })
    open.set(span.subject, id)
  }
  function end(subject: string): void {
    const id = open.get(subject)
    if (id === undefined) return
    open.delete(subject)
    store.spans.update(id, { end: now() })
  }
  const placeOf = (sessionId: string) => {
    const projectId = store.sessions.get(sessionId)?.projectId
    if (projectId === undefined) throw new Error(`There is no session ${sessionId} to record.`)
    return { projectId, sessionId }
  }

  presence.listen({
    onJoined({ id, sessionId, client = {} }) {
      begin({ kind: 'connection', subject: id, ...placeOf(sessionId), client })
    },
    onLeft: ({ id }) => end(id),
    onPublished(stream) {
      const { id, sessionId, connectionId, videoType, format } = stream
      const tracks = [{ at: now(), ...audibleAndVisible(stream) }]
      begin({ kind: 'stream', subject: id, ...placeOf(sessionId), connectionId, videoType, format, tracks })
    },
    onChanged(stream) {
      const span = store.spans.get(open.get(stream.id) ?? '')
      if (span?.kind !== 'stream') return
      store.spans.replace({ ...span, tracks: [...span.tracks, { at: now(), ...audibleAndVisible(stream) }] })
    },
    onUnpublished: ({ id }) => end(id),
  })
  transitions.archives.listen((archive) => {
    end(archive.id)
    if (archive.status === 'started') begin(archiveSpan(archive))
  })
  transitions.broadcasts.listen((broadcast) => {
    end(broadcast.id)
    if (broadcast.status === 'started') begin(broadcastSpan(broadcast))
  })

  return {
    /** Ends the spans that an earlier process left open, at the last recorded instant. */
    recover(): void {
      const spans = store.spans.find()
      const last = spans.reduce((latest, { start, end = start }) => Math.max(latest, end), 0)
      for (const { id, end } of spans) if (end === undefined) store.spans.update(id, { end: last })
    },
    close(): void {
      for (const subject of [...open.keys()]) end(subject)
    },
  }
}

type NewSpan = Span extends infer S ? (S extends Span ? Omit<S, 'id' | 'start' | 'end'> : never) : never

const archiveSpan = ({ id, projectId, sessionId, resolution, layout }: ArchiveRecord): NewSpan => ({
  kind: 'archive',
  subject: id,
  projectId,
  sessionId,
  outputMode: outputModeOf({ layout }),
  resolution,
})

const broadcastSpan = ({ id, projectId, sessionId, resolution, hls }: BroadcastRecord): NewSpan => ({
  kind: 'broadcast',
  subject: id,
  projectId,
  sessionId,
  resolution,
  hls: hls !== undefined,
})
