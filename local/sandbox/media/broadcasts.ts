import { join } from 'node:path'
import { type PictureSize, renditionsBelow } from '../../../lib/media/hls/ladder.ts'
import { checkId, sizeOf } from './checks.ts'
import type { OutputStarter } from './engine/running-output.ts'
import type { Broadcaster, BroadcastSpec } from './media.ts'
import { createLiveLadder } from './packaging/live-ladder.ts'
import { createLivePlaylists } from './packaging/live-playlists.ts'
import type { PackagedPart } from './packaging/package-broadcast.ts'
import type { ReconnectingOptions } from './rtmp/reconnecting-output.ts'
import { type RtmpOutputs, startRtmpOutputs } from './rtmp/rtmp-outputs.ts'
import { frameAt, timeOf } from './timebase.ts'

/** Creates the broadcasts of an engine: each has one encoding for HLS and all RTMP servers. */
export function createBroadcastOutputs(
  engine: OutputStarter,
  options: ReconnectingOptions & {
    /** Folder in which each broadcast gets its own directory. */
    readonly directory: string
    /** Shorter sides of further renditions, in pixels. */
    readonly ladder: readonly number[]
  },
) {
  const connected = new Set<RtmpOutputs>()
  /** Returns the renditions of a broadcast, the largest first; undefined if none is smaller than its picture. */
  const ladderFor = (size: PictureSize) => {
    const smaller = renditionsBelow(
      size,
      options.ladder.map((height) => ({ name: `${height}p`, height, maxVideoBitrate: 0 })),
    )
    const top = { name: `${Math.min(size.width, size.height)}p`, ...size }
    return smaller.length > 0
      ? [top, ...smaller.map(({ name, width, height }) => ({ name, width, height }))]
      : undefined
  }

  return {
    /** Returns true if broadcasts of a resolution have a ladder. */
    hasLadder: (resolution: string) => ladderFor(sizeOf(resolution)) !== undefined,
    async start({
      id,
      sessionId,
      resolution,
      layout,
      streams,
      hls,
      rtmp = [],
      createdAt = options.clock.now(),
    }: BroadcastSpec): Promise<Broadcaster> {
      checkId(id)
      const size = sizeOf(resolution)
      const directory = hls && join(options.directory, id)
      const outputs = startRtmpOutputs(rtmp, options)
      connected.add(outputs)
      const disconnect = () => {
        connected.delete(outputs)
        outputs.close()
      }
      const playlists = hls && createLivePlaylists(hls, options.clock)
      const renditions = hls && ladderFor(size)
      const ladder =
        renditions &&
        createLiveLadder(
          renditions.map(({ name }) => name),
          directory ?? '',
          { hls, clock: options.clock },
        )
      const listeners: (() => void)[] = []
      const announce = () => {
        for (const listener of listeners) listener()
      }
      const endPlaylists = () => {
        playlists?.end()
        ladder?.end()
        announce()
      }
      const onPart = (part: PackagedPart) => {
        const owner = part.rendition === undefined ? playlists : ladder
        owner?.addPart(part)
        announce()
      }
      const target = {
        type: 'broadcast',
        ...(directory && { hls: { directory, startTime: timeOf(frameAt(createdAt)), ladder: renditions } }),
        flv: rtmp.length > 0,
      } as const
      const setup = { id, sessionId, layout, streams, target, ...size, hasAudio: true, hasVideo: true }
      const { setLayout, setStreams, onFailure, watch, finish } = await engine
        .startOutput(setup, { onFlv: outputs.write, onPart })
        .catch((error) => {
          disconnect()
          endPlaylists()
          throw error
        })
      onFailure(() => {
        disconnect()
        endPlaylists()
      })
      return {
        setLayout,
        setStreams,
        onFailure,
        watch,
        onRtmp: outputs.listen,
        ...(directory && { directory }),
        playlist: async (...request) => playlists?.playlist(...request),
        ...(playlists && { locate: playlists.locate }),
        ladder: ladder?.ladder,
        timelines: ladder?.timelines ?? (playlists && new Map([['', playlists.timeline]])),
        onParts: (listener) => void listeners.push(listener),
        async stop() {
          try {
            await finish()
            endPlaylists()
            await outputs.stop()
          } finally {
            endPlaylists()
            disconnect()
          }
        },
      }
    },
    /** Closes all connections to RTMP servers at once. */
    close(): void {
      for (const outputs of connected) outputs.close()
      connected.clear()
    },
  }
}
