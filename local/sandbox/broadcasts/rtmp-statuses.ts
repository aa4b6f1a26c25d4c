import type { RtmpStatus } from '../../../lib/platform/contract/broadcasts.ts'
import type { Broadcaster, RtmpLink } from '../media/media.ts'
import type { SandboxParts } from '../parts.ts'

/**
 * Decides the statuses of broadcasts' RTMP outputs. An output is `live` while its server receives the stream and a client
 * publishes. While no client publishes it is `connecting`, although the connection stays and receives the empty picture. It is
 * also `connecting` while a lost connection is renewed.
 * `offline` and `error` are final.
 */
export function createRtmpStatuses(parts: Pick<SandboxParts, 'store' | 'transitions' | 'presence'>) {
  const { store, transitions, presence } = parts
  /** Outputs whose servers receive the stream, by broadcast. */
  const connected = new Map<string, Set<string>>()

  /** Returns an output without a final status: reports about any other are too late. */
  const openOutput = (broadcastId: string, id: string) => {
    const broadcast = store.broadcasts.get(broadcastId)
    const outputs = broadcast?.status === 'started' ? broadcast.rtmp : undefined
    return outputs?.find((output) => output.id === id && !isOver(output.status))
  }
  const move = (broadcastId: string, id: string, to: RtmpLink) => {
    const output = openOutput(broadcastId, id)
    if (output && output.status !== to) transitions.rtmpOutputs.move(broadcastId, id, to)
  }
  const record = (broadcastId: string, sessionId: string, id: string, link: RtmpLink) => {
    const live = connected.get(broadcastId) ?? new Set()
    connected.set(broadcastId, live)
    if (link === 'live') live.add(id)
    else live.delete(id)
    if (link !== 'live' || presence.isPublishing(sessionId)) move(broadcastId, id, link)
  }
  const moveConnected = (sessionId: string, to: 'connecting' | 'live') => {
    for (const broadcast of store.broadcasts.find({ sessionId, status: 'started' }))
      for (const id of connected.get(broadcast.id) ?? []) move(broadcast.id, id, to)
  }

  presence.listen({
    onPublishing: (sessionId) => moveConnected(sessionId, 'live'),
    onIdle: (sessionId) => moveConnected(sessionId, 'connecting'),
  })
  transitions.broadcasts.listen(({ id, status }) => {
    if (status !== 'started') connected.delete(id)
  })

  return {
    /** Records the changes that the broadcaster reports, for as long as the broadcast runs. */
    follow(broadcastId: string, broadcaster: Broadcaster): void {
      const sessionId = store.broadcasts.get(broadcastId)?.sessionId ?? ''
      broadcaster.onRtmp((id, link) => {
        if (openOutput(broadcastId, id)) record(broadcastId, sessionId, id, link)
      })
    },
    /** Fails all outputs that have no final status. */
    fail(broadcastId: string): void {
      for (const { id } of store.broadcasts.get(broadcastId)?.rtmp ?? []) move(broadcastId, id, 'error')
    },
  }
}

const isOver = (status: RtmpStatus) => status === 'offline' || status === 'error'
