import type { Clock } from '../../../../lib/clock.ts'
import type { ApiRequest, CallApi } from './event-app.ts'

/** Attempts of an app to send a request, and milliseconds between them. */
const TRIES = 5
const TRY_AGAIN = 10_000

/** The answer to a request, also to the last of several attempts. */
export interface RepeatedAnswer {
  /** Undefined if no attempt was answered. */
  readonly status: number | undefined
  readonly body: string
}

/**
 * Sends a request as an app does. It retries under the same key without an answer, or after one that asks for it.
 * @param isBusy returns true for a further answer that asks to retry. @default none
 */
export async function repeatRequest(
  callApi: CallApi,
  clock: Pick<Clock, 'sleep'>,
  request: ApiRequest,
  isBusy: (body: string) => boolean = () => false,
): Promise<RepeatedAnswer> {
  for (let tries = 1; ; tries++) {
    const response = await callApi(request).catch(() => undefined)
    const body = (response && (await response.text().catch(() => undefined))) ?? ''
    const status = response?.status
    const isDone = status !== undefined && status < 500 && status !== 429 && !isBusy(body)
    if (isDone || tries === TRIES) return { status, body }
    await clock.sleep(TRY_AGAIN)
  }
}
