import { onTestFinished } from 'vitest'
import { handler } from '../../../lambdas/operations/notify-owner.ts'
import type { OwnerEvent } from '../../../lib/events/owner-events.ts'
import { verifyShowrunnerCallback } from '../../../lib/operations/notifications/callback-verifier.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { Environment } from '../../../lib/tasks/environment.ts'
import { CALLBACK_SECRET, callSecrets, invoke, openWorld, webinar } from '../../support/world.ts'

export const url = 'https://app.example.com/hooks/showrunner?key=the-key-of-the-app'
export const event: OwnerEvent = {
  id: 'a-show/recording.started/program/1/',
  event: 'recording.started',
  at: '2026-11-20T09:00:00.000Z',
  stage: 'test',
  showId: 'a-show',
  name: 'program',
  part: 1,
  labels: { course: 'a1' },
}
/** Returns the id of that event in another show. */
export const idIn = (showId: string) => event.id.replace('a-show', showId)

/** Opens a world with an app that receives callbacks, and the task that posts them. The show `a-show` has the event. */
export async function openOwnerApp(changes: Environment = {}) {
  const world = openWorld(changes)
  onTestFinished(() => world.close())
  const posts: Request[] = []
  let answer: (request: Request) => Response | Promise<Response> = () => new Response(null, { status: 204 })
  world.interceptors.platform = async (request, pass) => {
    if (!request.url.startsWith('https://app.example.com/')) return pass()
    posts.push(request.clone())
    return answer(request)
  }
  /** Accepts a show in whose timeline the event is. */
  const acceptLive = async (callback: NonNullable<ShowDocument['callback']>, showId = 'a-show') => {
    await world.accept({ ...webinar, callback, labels: { course: 'a1' } }, showId)
    await world.services.shows.note(showId, { what: 'recording.started', name: 'program', part: 1 })
  }
  await acceptLive({ url })
  return {
    world,
    /** Requests that the app has received. */
    posts,
    acceptLive,
    /** Sets the answer of the app. @default 204 */
    answerBy(answerOf: typeof answer) {
      answer = answerOf
    },
    answerWith(status: number, headers = {}) {
      answer = () => new Response(null, { status, headers })
    },
    /** Runs the task with an event as the rule sends it, with the flag that it matches. */
    notify: (input: object = { ...event, callback: true }) => invoke(handler, world.services, { event: input }),
    /** Replaces the secret of callbacks, while functions run that have read it. */
    changeSecret: (secret: string) =>
      callSecrets(world.secrets, 'PutSecretValue', {
        SecretId: world.services.variable('CALLBACK_SECRET'),
        SecretString: JSON.stringify({ secret }),
      }),
    /** Verifies a callback as an app that has only the address of the public keys. */
    verifyByKeys: async (request: Request | undefined) =>
      verifyShowrunnerCallback(
        {
          signature: request?.headers.get('showrunner-signature') ?? undefined,
          body: (await request?.clone().text()) ?? '',
        },
        { keys: await world.services.callbackKeys.published(), url, clock: world.clock },
      ),
    /** Verifies a callback as an app that has a secret. */
    verify: async (request: Request | undefined, secret = CALLBACK_SECRET) =>
      verifyShowrunnerCallback(
        {
          authorization: request?.headers.get('authorization') ?? undefined,
          body: (await request?.clone().text()) ?? '',
        },
        { secret, url, clock: world.clock },
      ),
  }
}
