import { MAX_SHOW_SECONDS } from '../../../lib/show/document/duration.ts'
import { formats, keepDays } from '../../../lib/show/document/publishing.ts'
import { parseShow, type ShowDocument } from '../../../lib/show/document/show.ts'
import { addresses } from '../environment/addresses.ts'
import type { Random } from '../scheduling/random.ts'
import { randomBroadcasts } from './broadcasts.ts'
import { randomCues } from './cues.ts'
import { createDraws, type Draws } from './draws.ts'
import { randomTitle } from './names.ts'
import { withPauses } from './pauses.ts'
import { randomRecordings, withComposites } from './recordings.ts'
import { randomDialIns, randomScenes } from './scenes-and-dial-ins.ts'
import { callbackReference } from './secrets.ts'
import { randomStart } from './start-times.ts'

/** Placeholder for the id of a session that exists already. */
export const EXISTING_SESSION = 'an-existing-session'

const DAY = 86_400 // seconds

/**
 * Draws a show. Every optional field is present sometimes and absent sometimes, and every choice occurs. A session that
 * it names is EXISTING_SESSION.
 * @param now time of the post, in milliseconds since the epoch
 */
export function randomShow(random: Random, now: number): ShowDocument {
  const draws = createDraws(random)
  const { maybe, between, logUniform } = draws
  const duration = randomDuration(draws)
  const show = {
    version: 1 as 1 | 1.1,
    name: randomTitle(draws),
    duration,
    recordings: randomRecordings(draws, duration),
    ...maybe(0.3, 'start', () => randomStart(draws, now)),
    ...maybe(0.5, 'session', () => randomSession(draws)),
    ...maybe(0.35, 'scenes', () => randomScenes(draws)),
    ...maybe(0.3, 'dialIns', () => randomDialIns(draws)),
    ...maybe(0.7, 'broadcasts', () => randomBroadcasts(draws, duration)),
    ...maybe(0.4, 'announcements', () => randomAnnouncements(draws)),
    ...maybe(0.5, 'audienceWait', () => logUniform(60, DAY)),
    ...maybe(0.5, 'uploadWait', () => logUniform(600, DAY)),
    ...maybe(0.8, 'publish', () => randomPublishing(draws)),
    ...maybe(0.6, 'callback', () => ({
      url: `${addresses.app}/${draws.oneOf(['events', 'hooks?tenant=7'])}`,
      ...maybe(0.3, 'secret', () => callbackReference),
    })),
    ...maybe(0.5, 'labels', () =>
      Object.fromEntries(
        draws.times(between(0, 20), (index) => [`team.${index}`, draws.oneOf(['', 'a', 'ß'.repeat(256)])]),
      ),
    ),
  }
  const { broadcasts = [] } = show
  const whole = broadcasts.length > 0 && draws.chance(0.1) ? { ...show, recordings: [] } : show
  // Drawn last, so that seeds keep the rest of their shows.
  const drawn: ShowDocument = {
    ...maybe(0.1, '$schema', () => '../docs/show.schema.json'),
    ...whole,
    ...maybe(0.5, 'version', () => 1.1 as const),
    ...maybe(0.3, 'page', () => randomPage(draws)),
    ...maybe(0.4, 'cues', () => randomCues(draws, whole)),
  }
  const ending = draws.chance(0.2) ? withOpenEnd(draws, drawn, duration) : drawn
  const paused = draws.chance(0.4) ? withPauses(draws, ending) : ending
  return withComposites(draws, paused)
}

/** Gives a show an open end. It keeps its longest time where a part or a cue does not fit the default. */
function withOpenEnd({ chance, maybe, logUniform }: Draws, show: ShowDocument, maxDuration: number): ShowDocument {
  const open = { ...show, duration: null, ...maybe(0.7, 'emptyWait', () => logUniform(1, 3_600)) }
  return chance(0.5) && 'show' in parseShow(open) ? open : { ...open, maxDuration }
}

/** Returns seconds: five minutes to a day, short and long equally likely, and one in a hundred up to seven days. */
const randomDuration = ({ chance, logUniform }: Draws) =>
  chance(0.01) ? logUniform(DAY, MAX_SHOW_SECONDS) : logUniform(300, DAY)

function randomSession({ chance, maybe, oneOf }: Draws): NonNullable<ShowDocument['session']> {
  if (chance(0.35)) return { id: EXISTING_SESSION }
  return {
    ...maybe(0.4, 'location', () => oneOf(['203.0.113.7', '2001:db8::7'])),
    ...maybe(0.4, 'archiveMode', () => oneOf(['always', 'manual'] as const)),
  }
}

function randomAnnouncements({ maybe, oneOf }: Draws): NonNullable<ShowDocument['announcements']> {
  const signal = () => ({
    type: oneOf(['recording', 'x'.repeat(128)]),
    data: oneOf(['on', '{"state":"off"}', 'ä'.repeat(4_096)]),
  })
  return { ...maybe(0.7, 'recordingStarted', signal), ...maybe(0.7, 'recordingStopped', signal) }
}

const randomPage = ({ maybe, oneOf }: Draws): NonNullable<ShowDocument['page']> => ({
  ...maybe(0.5, 'title', () => oneOf(['Watch it', 'ß'.repeat(200)])),
  ...maybe(0.5, 'description', () => oneOf(['One line', 'Two\n\nlines 🎉', 'ä'.repeat(2_000)])),
  ...maybe(0.5, 'cover', () => 'https://app.example/cover.jpg?size=2'),
  ...maybe(0.5, 'accentColor', () => oneOf(['#000000', '#FFaa00'])),
})

const randomPublishing = ({ maybe, oneOf }: Draws): NonNullable<ShowDocument['publish']> => ({
  ...maybe(0.5, 'formats', () => oneOf([[], ['poster'], [...formats]])),
  ...maybe(0.6, 'access', () => oneOf(['signed', 'public'] as const)),
  ...maybe(0.8, 'keepDays', () => oneOf(keepDays)),
})
