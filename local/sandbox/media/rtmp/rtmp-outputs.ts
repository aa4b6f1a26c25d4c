import type { RtmpTarget } from '../media.ts'
import { createRtmpLinks } from '../rtmp-links.ts'
import { createFlvReader, type FlvTag, isSetup } from './flv.ts'
import { type ReconnectingOptions, startReconnectingOutput } from './reconnecting-output.ts'

/** The RTMP servers of one broadcast. None of them delays or ends another. */
export type RtmpOutputs = ReturnType<typeof startRtmpOutputs>

export function startRtmpOutputs(targets: readonly RtmpTarget[], options: ReconnectingOptions) {
  const links = createRtmpLinks()
  const setup: FlvTag[] = []
  const readTags = createFlvReader()
  const outputs = targets.map((target) =>
    startReconnectingOutput(
      target,
      () => setup,
      (link) => links.set(target.id, link),
      options,
    ),
  )

  return {
    /** Sends the next chunk of an FLV file to all servers. */
    write(chunk: Uint8Array): void {
      let tags: FlvTag[] = []
      try {
        tags = readTags(chunk)
      } catch {
        for (const output of outputs) output.fail()
      }
      for (const tag of tags) {
        for (const output of outputs) output.push(tag)
        if (isSetup(tag)) setup.push(tag)
      }
    },
    listen: links.listen,
    /** Ends all streams by the protocol, within two seconds. */
    async stop(): Promise<void> {
      await Promise.all(outputs.map((output) => output.stop()))
    },
    /** Closes all connections at once. */
    close(): void {
      for (const output of outputs) output.close()
    },
  }
}
