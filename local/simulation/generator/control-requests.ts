import type { Clock } from '../../../lib/clock.ts'
import type { CallApi } from '../environment/app.ts'
import type { Audience } from '../environment/audience.ts'
import type { PlannedControl } from './controls.ts'
import { requestOf } from './requests.ts'

export interface AskingParts {
  readonly clock: Clock
  readonly callApi: CallApi
  readonly audience: Pick<Audience, 'find'>
  readonly showId: string
  /** Resolves once the show is live. */
  readonly live: Promise<unknown>
}

/** What came of one post. */
export interface ControlAnswer extends Pick<PlannedControl, 'control' | 'key'> {
  /** Milliseconds since the epoch. */
  readonly askedAt: number
  readonly answeredAt: number
  /** Undefined when no answer came, however often it was posted. */
  readonly status: number | undefined
  readonly body: string
}

/** Times that an app posts a control whose answer it does not get, and the wait in between, in ms. */
const TRIES = 5
const TRY_AGAIN = 10_000

/** Asks a show that has just been posted for what is planned, at its times; returns the answers, which come as they come. */
export function startAsking(controls: readonly PlannedControl[], parts: AskingParts): readonly ControlAnswer[] {
  const { clock, live } = parts
  const answers: ControlAnswer[] = []
  const ask = async (planned: PlannedControl) => {
    const posts = Array.from({ length: planned.posts }, () => async () => void answers.push(await post(planned, parts)))
    if (planned.together) return void (await Promise.all(posts.map((act) => act())))
    for (const act of posts) await act()
  }
  const schedule = (planned: PlannedControl) => clock.at(clock.now() + planned.at * 1000, () => void ask(planned))
  for (const planned of controls) if (planned.after === 'posted') schedule(planned)
  void live.then(() => {
    for (const planned of controls) if (planned.after === 'live') schedule(planned)
  })
  return answers
}

/** Posts it as an app does: again, under the same key, while no answer comes or one that says to try again. */
async function post({ control, key }: PlannedControl, parts: AskingParts): Promise<ControlAnswer> {
  const { clock, callApi, audience, showId } = parts
  const askedAt = clock.now()
  const request = requestOf(control, { showId, now: askedAt, find: audience.find })
  for (let tries = 1; ; tries++) {
    const response = await callApi({ ...request, key }).catch(() => undefined)
    const body = response && (await response.text().catch(() => undefined))
    const isOver = tries === TRIES || (response && response.status < 500 && response.status !== 429)
    if (isOver) return { control, key, askedAt, answeredAt: clock.now(), status: response?.status, body: body ?? '' }
    await clock.sleep(TRY_AGAIN)
  }
}
