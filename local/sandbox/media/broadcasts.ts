import { join } from 'node:path'
import { checkId, sizeOf } from './checks.ts'
import type { OutputStarter } from './engine/running-output.ts'
import type { Broadcaster, BroadcastSpec } from './media.ts'
import { createLivePlaylists } from './packaging/live-playlists.ts'
import type { ReconnectingOptions } from './rtmp/reconnecting-output.ts'
import { type RtmpOutputs, startRtmpOutputs } from './rtmp/rtmp-outputs.ts'
import { frameAt, timeOf } from './timebase.ts'

/** Creates the broadcasts of an engine: each has one encoding for HLS and all RTMP servers. */
export function createBroadcastOutputs(
  engine: OutputStarter,
  options: ReconnectingOptions & {
    /** Folder in which each broadcast gets its own directory. */ readonly directory: string
  },
) {
  const connected = new Set<RtmpOutputs>()

  return {
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
      const target = {
        type: 'broadcast',
        ...(directory && { hls: { directory, startTime: timeOf(frameAt(createdAt)) } }),
        flv: rtmp.length > 0,
      } as const
      const setup = { id, sessionId, layout, streams, target, ...size, hasAudio: true, hasVideo: true }
      const { setLayout, setStreams, onFailure, watch, finish } = await engine
        .startOutput(setup, { onFlv: outputs.write, ...(playlists && { onPart: playlists.addPart }) })
        .catch((error) => {
          disconnect()
          playlists?.end()
          throw error
        })
      onFailure(() => {
        disconnect()
        playlists?.end()
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
        async stop() {
          try {
            await finish()
            playlists?.end()
            await outputs.stop()
          } finally {
            playlists?.end()
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
