/** @import { Happening, Recording, Show } from './answers.d.ts' */

const LOCALE = 'en-GB' // the page is in English; 24-hour clock
const NBSP = '\u00a0' // keeps a number and its unit on one line

/**
 * Seconds as a clock shows them: `0:07`, `12:00`, `1:02:03`.
 * @param {number} seconds
 */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/**
 * Bytes in decimal units, as shops and file managers count: `3.4 MB`.
 * @param {number} bytes
 */
export function size(bytes) {
  if (bytes < 1e3) return `${bytes}${NBSP}B`
  const [unit, name] = bytes < 1e6 ? [1e3, 'kB'] : bytes < 1e9 ? [1e6, 'MB'] : [1e9, 'GB']
  return `${(bytes / Number(unit)).toFixed(1)}${NBSP}${name}`
}

/**
 * A moment, short when it is today.
 * @param {string} time
 * @param {number} now milliseconds
 * @param {string} [timeZone] the browser's unless given
 */
export function moment(time, now, timeZone) {
  const zone = timeZone ? { timeZone } : {}
  const day = (/** @type {Date} */ date) =>
    date.toLocaleDateString(LOCALE, { day: 'numeric', month: 'short', year: 'numeric', ...zone })
  const at = new Date(time)
  const hour = at.toLocaleTimeString(LOCALE, { hour: '2-digit', minute: '2-digit', ...zone })
  return day(at) === day(new Date(now)) ? `today, ${hour}` : `${day(at)}, ${hour}`
}

/**
 * A moment to the second, for the timeline.
 * @param {string} time
 * @param {string} [timeZone]
 */
export const second = (time, timeZone) =>
  new Date(time).toLocaleTimeString(LOCALE, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    ...(timeZone && { timeZone }),
  })

/** @type {Readonly<Record<Show['status'], string>>} */
const STATUS_WORDS = {
  scheduled: 'Scheduled',
  starting: 'Starting',
  waiting: 'Waiting for guests',
  live: 'Live',
  ending: 'Ending',
  succeeded: 'Succeeded',
  failed: 'Failed',
  stopped: 'Stopped',
}

/** @param {Show['status']} status */
export const statusWords = (status) => STATUS_WORDS[status] ?? status

/** @type {Readonly<Record<string, (name: string) => string>>} */
const HAPPENING_WORDS = {
  'session.opened': () => 'Session opened',
  'upload.targetSet': () => 'Upload target set',
  'scene.started': (name) => `Scene ${name} started`,
  'scene.failed': (name) => `Scene ${name} failed`,
  'scene.ended': (name) => `Scene ${name} ended`,
  'dialIn.started': (name) => `Dialed ${name}`,
  'dialIn.failed': (name) => `Dialing ${name} failed`,
  'dialIn.unknown': (name) => `Whether ${name} was dialed is unknown`,
  'dialIn.ended': (name) => `Call of ${name} ended`,
  'dialIn.tonesPlayed': (name) => `Tones played to ${name}`,
  'dialIn.tonesUnknown': (name) => `Whether tones were played to ${name} is unknown`,
  'dialIn.tonesFailed': (name) => `Tones could not be played to ${name}`,
  'audience.present': () => 'Audience is there',
  'recording.started': (name) => `Recording ${name} started`,
  'recording.failed': (name) => `Recording ${name} failed`,
  'recording.arrived': (name) => `Recording ${name} arrived`,
  'recording.rescued': (name) => `Recording ${name} was rescued`,
  'broadcast.started': (name) => `Broadcast ${name} started`,
  'broadcast.live': (name) => `Broadcast ${name} can be watched`,
  'broadcast.failed': (name) => `Broadcast ${name} failed`,
  'output.live': (name) => `An RTMP server gets ${name}`,
  'output.failed': (name) => `An RTMP server does not get ${name}`,
  'announcement.sent': () => 'Participants were told',
  'announcement.failed': () => 'Participants could not be told',
  'control.stop': () => 'Asked to stop',
  'control.duration': () => 'Duration changed',
  'control.layout': (name) => `Layout of ${name} changed`,
  'control.streams': (name) => `Streams of ${name} changed`,
  'control.signal': () => 'Signal sent',
  'control.mute': () => 'Muted or unmuted',
  'control.layoutClasses': () => 'Layout classes changed',
  'control.tones': () => 'Tones played',
  'control.disconnect': () => 'Participant disconnected',
  'control.dialIn': (name) => `Asked to dial ${name}`,
  'control.broadcast': (name) => `Asked to broadcast ${name}`,
  'show.closing': () => 'Closing what was left behind',
  'show.ending': () => 'Show is ending',
  'show.ended': () => 'Show ended',
}

/** @param {Happening} happening */
export function happeningWords({ what, name = '', part = 1, detail }) {
  const named = partWords({ name, part })
  const words = HAPPENING_WORDS[what]?.(named) ?? [what, named].join(' ').trim()
  return detail ? `${words}: ${detail}` : words
}

/**
 * What a part of a recording or broadcast is called; the first has the whole one's name.
 * @param {{ name: string, part: number }} resource
 */
export const partWords = ({ name, part }) => (part === 1 ? name : `${name} (part ${part})`)

/**
 * When a scheduled show starts.
 * @param {Show['start']} start
 */
export function startWords(start) {
  if (!start) return undefined
  if (start.at) return `Starts at ${start.at.replace('T', ' ')} (${start.zone})`
  return `Starts whenever ${start.cron} comes (${start.zone})`
}

/**
 * What a recording holds, in one line.
 * @param {Pick<Recording, 'duration' | 'video' | 'audio' | 'source'>} recording
 */
export function facts({ duration, video, audio, source }) {
  const picture = video
    ? [`${video.width}\u2009×\u2009${video.height}`, `${Number(video.frameRate.toFixed(2))}${NBSP}fps`]
    : []
  const codecs = [video?.codec, audio?.codec].filter(Boolean).join(' + ')
  const length = duration === null ? undefined : clock(Math.round(duration))
  return [length, ...picture, codecs, size(source.size)].filter(Boolean).join(' · ')
}
