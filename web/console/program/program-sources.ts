import type { Show } from '../answers.ts'
import { type Output, outputKey, outputLabel, outputsOf } from '../controls/control-state.ts'
import { isShowOver } from '../model.ts'

/** The picture of a running archive or broadcast, which the sandbox sends by WebRTC. */
export interface WatchedOutput {
  readonly showId: string
  /** Id of the archive or the broadcast. */
  readonly outputId: string
  /** Base URL of the sandbox. */
  readonly url: string
}

/** The origin of a picture: a playlist, or an output of the sandbox. */
export type ProgramSource = { readonly hls: string } | WatchedOutput

/** An output whose picture the page can play. */
export interface ProgramOutput {
  readonly key: string
  readonly label: string
  readonly source: ProgramSource
}

type Running = Pick<Show, 'showId' | 'status' | 'document' | 'recordings' | 'broadcasts'>

/**
 * Returns the outputs of a running show whose pictures can be played, the preferred one first. The sandbox sends the picture
 * of every output by WebRTC. Elsewhere the page plays the HLS of broadcasts, and recordings are seen once they are published.
 * @param sandboxUrl base URL of the sandbox; undefined for a deployment
 */
export function programOutputs(show: Running, sandboxUrl: string | undefined): readonly ProgramOutput[] {
  if (isShowOver(show)) return []
  const viewed = show.broadcasts
    .filter(({ hls, problem, status }) => hls && !problem && status !== 'stopped')
    .map(({ name, hls = '' }) => ({ key: `hls ${name}`, label: `Broadcast ${name}`, source: { hls } }))
  if (sandboxUrl === undefined) return viewed
  const sent = outputsOf(show).flatMap((output) => {
    const outputId = idOf(output, show)
    const source = { showId: show.showId, outputId: outputId ?? '', url: sandboxUrl }
    return outputId
      ? [{ key: outputKey(output), label: outputLabel(output), isLive: output.kind === 'broadcast', source }]
      : []
  })
  return [
    ...sent.filter(({ isLive }) => isLive),
    ...sent.filter(({ isLive }) => !isLive),
    ...viewed.map((one) => ({ ...one, label: `${one.label}, as viewers see it` })),
  ]
}

/** Returns the tag of the part of a recording or broadcast whose picture a source has. */
export function tagOfSource(source: ProgramSource, { recordings, broadcasts }: Running): string | undefined {
  const isHls = 'hls' in source
  const parts = [
    ...recordings.map(({ tag, archiveId }) => ({ tag, isPlayed: !isHls && archiveId === source.outputId })),
    ...broadcasts.map(({ tag, broadcastId, hls }) => ({
      tag,
      isPlayed: isHls ? hls === source.hls : broadcastId === source.outputId,
    })),
  ]
  return parts.find(({ isPlayed }) => isPlayed)?.tag
}

const idOf = ({ kind, name }: Output, { recordings, broadcasts }: Running) =>
  kind === 'recording'
    ? recordings.findLast((one) => one.name === name)?.archiveId
    : broadcasts.findLast((one) => one.name === name)?.broadcastId
