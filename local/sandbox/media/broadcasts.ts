import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkId, sizeOf } from './checks.ts'
import { PLAYLIST_FILE } from './encoding/broadcast-target.ts'
import { newerPlaylist, presentPlaylist } from './encoding/playlist.ts'
import type { OutputStarter } from './engine/running-output.ts'
import type { Broadcaster, BroadcastSpec } from './media.ts'
import type { RtmpOptions } from './rtmp/rtmp-output.ts'
import { type RtmpOutputs, startRtmpOutputs } from './rtmp/rtmp-outputs.ts'

/** Seconds; a player begins about three segments behind. */
const SEGMENT_SECONDS = { usual: 2, lowLatency: 1 }

/** The broadcasts of an engine: one encoding each, for HLS and all RTMP servers together. */
export interface BroadcastOutputs {
  start(spec: BroadcastSpec): Promise<Broadcaster>
  /** Ends all connections to RTMP servers at once. */
  close(): void
}

export function createBroadcastOutputs(
  engine: OutputStarter,
  options: RtmpOptions & { /** Where each has a directory of its own. */ readonly directory: string },
): BroadcastOutputs {
  const connected = new Set<RtmpOutputs>()

  return {
    async start({ id, sessionId, resolution, layout, streams, hls, rtmp = [], createdAt = options.clock.now() }) {
      checkId(id)
      const size = sizeOf(resolution)
      const directory = hls && join(options.directory, id)
      const outputs = startRtmpOutputs(rtmp, options)
      connected.add(outputs)
      const disconnect = () => {
        connected.delete(outputs)
        outputs.close()
      }
      const segmentSeconds = hls?.lowLatency ? SEGMENT_SECONDS.lowLatency : SEGMENT_SECONDS.usual
      const target = {
        type: 'broadcast',
        ...(directory && { hls: { directory, segmentSeconds } }),
        flv: rtmp.length > 0,
      } as const
      const setup = { id, sessionId, layout, streams, target, ...size, hasAudio: true, hasVideo: true }
      const { setLayout, setStreams, onFailure, finish } = await engine
        .startOutput(setup, outputs.write)
        .catch((error) => {
          disconnect()
          throw error
        })
      onFailure(disconnect)
      let whole: string | undefined
      return {
        ...{ setLayout, setStreams, onFailure, onRtmp: outputs.listen },
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
    close() {
      for (const outputs of connected) outputs.close()
      connected.clear()
    },
  }
}
