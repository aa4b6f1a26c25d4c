import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkId, sizeOf } from './checks.ts'
import { PLAYLIST_FILE } from './encoding/broadcast-target.ts'
import { newerPlaylist, presentPlaylist } from './encoding/playlist.ts'
import type { OutputStarter } from './engine/running-output.ts'
import type { Broadcaster, BroadcastSpec } from './media.ts'
import type { ReconnectingOptions } from './rtmp/reconnecting-output.ts'
import { type RtmpOutputs, startRtmpOutputs } from './rtmp/rtmp-outputs.ts'

/** Length of a segment in seconds; a player starts about three segments behind. */
const SEGMENT_SECONDS = { normal: 2, lowLatency: 1 }

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
      const segmentSeconds = hls?.lowLatency ? SEGMENT_SECONDS.lowLatency : SEGMENT_SECONDS.normal
      const target = {
        type: 'broadcast',
        ...(directory && { hls: { directory, segmentSeconds } }),
        flv: rtmp.length > 0,
      } as const
      const setup = { id, sessionId, layout, streams, target, ...size, hasAudio: true, hasVideo: true }
      const { setLayout, setStreams, onFailure, watch, finish } = await engine
        .startOutput(setup, { onFlv: outputs.write })
        .catch((error) => {
          disconnect()
          throw error
        })
      onFailure(disconnect)
      let whole: string | undefined
      return {
        setLayout,
        setStreams,
        onFailure,
        watch,
        onRtmp: outputs.listen,
        ...(directory && { directory }),
        async playlist() {
          if (!hls || !directory) return undefined
          whole = newerPlaylist(whole, await readFile(join(directory, PLAYLIST_FILE), 'utf8').catch(() => undefined))
          return whole === undefined ? undefined : presentPlaylist(whole, { ...hls, createdAt })
        },
        async stop() {
          try {
            await finish()
            await outputs.stop()
          } finally {
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
