import type { Clock } from '../../../../lib/clock.ts'
import type { CallApi } from '../../environment/app/event-app.ts'
import type { Audience } from '../../environment/audience.ts'
import type { PlannedControl } from './controls.ts'
import { toRequest } from './to-request.ts'

export interface ControlRequestOptions {
  readonly clock: Clock
  readonly callApi: CallApi
  readonly audience: Pick<Audience, 'find'>
  readonly showId: string
  /** Resolves when the show is live. */
  readonly live: Promise<unknown>
}

export interface ControlAnswer extends Pick<PlannedControl, 'control' | 'key'> {
  /** Milliseconds since the epoch. */
  readonly askedAt: number
  readonly answeredAt: number
  /** Undefined if no attempt was answered. */
  readonly status: number | undefined
  readonly body: string
}

/** Attempts of an app to post a control, and milliseconds between them. */
const TRIES = 5
const TRY_AGAIN = 10_000

/** Schedules the planned controls of a posted show. The returned answers grow as they arrive. */
export function startControlRequests(
  controls: readonly PlannedControl[],
  parts: ControlRequestOptions,
): readonly ControlAnswer[] {
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

/** Posts a control as an app does. It retries under the same key without an answer, or after one that asks for it. */
async function post({ control, key }: PlannedControl, parts: ControlRequestOptions): Promise<ControlAnswer> {
  const { clock, callApi, audience, showId } = parts
  const askedAt = clock.now()
  const request = toRequest(control, { showId, now: askedAt, find: audience.find })
  for (let tries = 1; ; tries++) {
    const response = await callApi({ ...request, key }).catch(() => undefined)
    const body = response && (await response.text().catch(() => undefined))
    const isDone = tries === TRIES || (response && response.status < 500 && response.status !== 429)
    if (isDone) return { control, key, askedAt, answeredAt: clock.now(), status: response?.status, body: body ?? '' }
    await clock.sleep(TRY_AGAIN)
  }
}
