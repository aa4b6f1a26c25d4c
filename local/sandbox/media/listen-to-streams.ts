import type { OutputStarter } from './engine/running-output.ts'
import type { Ear, Listening, StreamChoice } from './media.ts'

/** Starts an output without a picture whose samples are given as they are mixed. */
export async function listenToStreams(
  engine: OutputStarter,
  {
    id,
    sessionId,
    streams,
  }: { readonly id: string; readonly sessionId: string; readonly streams: readonly StreamChoice[] },
  { onSamples, onFailure }: Ear,
): Promise<Listening> {
  const layout = { type: 'bestFit' } as const
  const tracks = { hasAudio: true, hasVideo: false, width: 2, height: 2 }
  const output = await engine.startOutput(
    { id, sessionId, streams, layout, ...tracks, target: { type: 'samples' } },
    { onUnit: ({ data }) => onSamples(new Int16Array(data.buffer, data.byteOffset, data.byteLength / 2)) },
  )
  output.onFailure(onFailure)
  return { setStreams: output.setStreams, stop: output.discard }
}
