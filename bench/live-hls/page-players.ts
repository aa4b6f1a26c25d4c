import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Players of a broadcast with low latency. `hls.js` is the player of the watch page. */
export const livePlayers = ['hls.js', 'shaka-player', 'video.js'] as const
export type LivePlayerName = (typeof livePlayers)[number]

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Seconds of media that Video.js, which has no target latency, keeps: it plays faster with more, and skips much more. */
const BUFFER = 0.7
const SKIP_FROM = 1.5
const FASTER = 1.1

/** Programs that export `playLive(video, { playlist, lowLatency })`. */
const PROGRAMS: Readonly<Record<LivePlayerName, string>> = {
  'hls.js': `export { playLive } from './web/watch/live/live-player.ts'`,
  'shaka-player': `
    import shaka from 'shaka-player/dist/shaka-player.compiled.js'
    export async function playLive(video, { playlist, lowLatency }) {
      const player = new shaka.Player()
      await player.attach(video)
      player.configure({ streaming: { lowLatencyMode: lowLatency, liveSync: { enabled: true, targetLatency: 0, targetLatencyTolerance: 0.1 } } })
      await player.load(playlist)
      await video.play()
    }`,
  'video.js': `
    import videojs from 'video.js/dist/video.js'
    export function playLive(video, { playlist, lowLatency }) {
      const vhs = { overrideNative: true, llhls: lowLatency }
      const player = videojs(video, { autoplay: 'muted', liveui: true, html5: { vhs } })
      player.src({ src: playlist, type: 'application/x-mpegURL' })
      player.on('timeupdate', () => {
        const ahead = player.bufferedEnd() - player.currentTime()
        if (ahead > ${SKIP_FROM}) player.currentTime(player.bufferedEnd() - ${BUFFER})
        player.playbackRate(ahead > ${BUFFER} ? ${FASTER} : 1)
      })
    }`,
}

/** Bundles a player for a page, as `livePlayer.playLive`. */
export async function playerScript(player: LivePlayerName): Promise<string> {
  const { outputFiles } = await build({
    ...{ absWorkingDir: root, stdin: { contents: PROGRAMS[player], resolveDir: root, loader: 'js' } },
    ...{ bundle: true, format: 'iife', globalName: 'livePlayer', write: false, logLevel: 'error' },
  })
  return outputFiles[0]?.text ?? ''
}
