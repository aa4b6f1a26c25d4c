import { keys as keysOf } from '../../../../lib/show/state/keys.ts'
import type { ShowRequest } from '../../../../lib/show/state/request.ts'
import type { Evidence } from '../evidence.ts'
import { problemsOfTokens } from './callback-tokens.ts'

/** The name of the deployment’s secret for callbacks, and of versions that a rotation left. */
const OF_DEPLOYMENT = /^CALLBACK_SECRET( of another version)? secret$/

/** Checks that an app which verifies callbacks by docs/callbacks.md accepts each one that it received. */
export function verifiedCallbacks({
  shows,
  callbacks,
  callbackKeys: keys,
  secrets,
  objects,
}: Pick<Evidence, 'shows' | 'callbacks' | 'callbackKeys' | 'secrets'> & Partial<Pick<Evidence, 'objects'>>): string[] {
  const requestOf = (showId: string): ShowRequest | undefined => {
    const text = objects?.get(keysOf.request(showId))?.text // also of a show that never started
    return text === undefined ? shows.find((show) => show.showId === showId)?.request : JSON.parse(text)
  }
  return callbacks.flatMap((callback) => {
    const { event, showId = '' } = JSON.parse(callback.body) as { event: string; showId?: string }
    const isSecret = nameOfSecret(requestOf(showId))
    const values = secrets.filter(({ name }) => isSecret(name)).map(({ value }) => value)
    const problems = problemsOfTokens(callback, { keys, secrets: values })
    return problems.map(
      (problem) => `an app refuses the callback ${event} of the show ${showId.slice(0, 12)}: ${problem}`,
    )
  })
}

function nameOfSecret(request: ShowRequest | undefined): (name: string) => boolean {
  const reference = request?.show.callback?.secret?.secret
  return reference === undefined
    ? (name) => OF_DEPLOYMENT.test(name)
    : (name) => name === `the show’s secret ${reference}`
}
