import { describeCron } from '../../lib/api/cron-in-words.ts'
import { clockTime, fileSize, moment, NBSP, timeOfDay } from '../format.ts'
import type { Recording, Show, TimelineEvent } from './answers.ts'

export const statusLabels: Readonly<Record<Show['status'], string>> = {
  scheduled: 'Scheduled',
  starting: 'Starting',
  waiting: 'Waiting for participants',
  live: 'Live',
  ending: 'Ending',
  succeeded: 'Succeeded',
  failed: 'Failed',
  stopped: 'Stopped',
  cancelled: 'Cancelled: no participant connected',
  degraded: 'Degraded: an output was off the air',
}

/** Returns the label of a status. An unknown status is its own label. */
export const statusLabel = (status: Show['status']): string => statusLabels[status] ?? status

const EVENT_LABELS: Readonly<Record<string, (name: string) => string>> = {
  'secret.invalid': (name) => `The secret of ${name} cannot be used`,
  'session.opened': () => 'Session opened',
  'upload.targetSet': () => 'Upload target set',
  'scene.started': (name) => `Scene ${name} started`,
  'scene.failed': (name) => `Scene ${name} failed`,
  'scene.ended': (name) => `Scene ${name} ended`,
  'dialIn.started': (name) => `Dialed ${name}`,
  'dialIn.failed': (name) => `Dialing ${name} failed`,
  'dialIn.unknown': (name) => `It is unknown whether ${name} was dialed`,
  'dialIn.ended': (name) => `Call of ${name} ended`,
  'dialIn.tonesPlayed': (name) => `Tones played to ${name}`,
  'dialIn.tonesUnknown': (name) => `It is unknown whether tones were played to ${name}`,
  'dialIn.tonesFailed': (name) => `Tones could not be played to ${name}`,
  'audience.present': () => 'Audience is present',
  'recording.started': (name) => `Recording ${name} started`,
  'recording.failed': (name) => `Recording ${name} failed`,
  'recording.paused': (name) => `Recording ${name} paused`,
  'recording.resumed': (name) => `Recording ${name} resumed`,
  'recording.arrived': (name) => `Recording ${name} arrived`,
  'recording.rescued': (name) => `Recording ${name} was rescued`,
  'broadcast.started': (name) => `Broadcast ${name} started`,
  'broadcast.live': (name) => `Broadcast ${name} can be watched`,
  'broadcast.failed': (name) => `Broadcast ${name} failed`,
  'output.live': (name) => `An RTMP server receives ${name}`,
  'output.failed': (name) => `An RTMP server does not receive ${name}`,
  'output.reconnecting': (name) => `An RTMP server is being reconnected to ${name}`,
  'output.recovered': (name) => `An RTMP server receives ${name} again`,
  'announcement.sent': () => 'Participants were notified',
  'announcement.failed': () => 'Participants could not be notified',
  'cue.signal': () => 'Signal of a cue sent',
  'cue.layout': (name) => `Layout of ${name} changed by a cue`,
  'cue.failed': () => 'A cue failed',
  'control.stop': () => 'Stop requested',
  'control.duration': () => 'Duration changed',
  'control.layout': (name) => `Layout of ${name} changed`,
  'control.streams': (name) => `Streams of ${name} changed`,
  'control.signal': () => 'Signal sent',
  'control.mute': () => 'Muted or unmuted',
  'control.layoutClasses': () => 'Layout classes changed',
  'control.tones': () => 'Tones played',
  'control.disconnect': () => 'Participant disconnected',
  'control.dialIn': (name) => `Dial-in ${name} requested`,
  'control.broadcast': (name) => `Broadcast ${name} requested`,
  'control.stopBroadcast': (name) => `Stop of ${name} requested`,
  'control.pause': (name) => `Pause of ${name} requested`,
  'control.resume': (name) => `Resumption of ${name} requested`,
  'control.marker': () => 'Marker set',
  'show.closing': () => 'Stopping what was left running',
  'show.ending': () => 'Show is ending',
  'show.ended': () => 'Show ended',
}

const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

/** Describes an event of the timeline in one line, with local times. */
export function eventLabel({ what, name = '', part = 1, detail }: TimelineEvent, timeZone?: string): string {
  const named = partLabel({ name, part })
  const label = EVENT_LABELS[what]?.(named) ?? [what, named].join(' ').trim()
  return detail ? `${label}: ${detail.replace(INSTANT, (time) => timeOfDay(time, timeZone))}` : label
}

/** Names a part of a recording or broadcast. The first part has the name of the whole. */
export const partLabel = ({ name, part }: { readonly name: string; readonly part: number }): string =>
  part === 1 ? name : `${name} (part ${part})`

/** Describes when a scheduled show starts: `Every Tuesday at 19:00 (Europe/Berlin)`. Returns undefined for other shows. */
export function startLabel(start: Show['start']): string | undefined {
  if (!start) return undefined
  if ('at' in start) return `Starts at ${start.at.replace('T', ' ')} (${start.zone})`
  const { cron, zone, until, count } = start
  const words = describeCron(cron)
  const last = until === undefined ? '' : ` until ${until}`
  const times = count === undefined ? '' : count === 1 ? ', once' : `, ${count} times`
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${last}${times} (${zone})`
}

/** Describes the time of a show on its card: its next start, when it went live, or when it was accepted. */
export function timeLabel({ nextStart, liveAt, acceptedAt }: Show, now: number, timeZone?: string): string {
  if (nextStart !== undefined) return `Next: ${moment(nextStart, now, timeZone)}`
  return moment(liveAt ?? acceptedAt, now, timeZone)
}

/** Describes the content of a recording in one line: duration, picture, codecs and size. */
export function recordingFacts({
  duration,
  video,
  audio,
  source,
}: Pick<Recording, 'duration' | 'video' | 'audio' | 'source'>): string {
  const picture = video
    ? [`${video.width}\u2009×\u2009${video.height}`, `${Number(video.frameRate.toFixed(2))}${NBSP}fps`]
    : []
  const codecs = [video?.codec, audio?.codec].filter(Boolean).join(' + ')
  const length = duration === null ? undefined : clockTime(Math.round(duration))
  return [length, ...picture, codecs, fileSize(source.size)].filter(Boolean).join(' · ')
}
