import { keys as keysOf } from '../../../../lib/show/state/keys.ts'
import type { ShowRequest } from '../../../../lib/show/state/request.ts'
import type { SearchedSecret } from '../../environment/secret-search.ts'

/** The name of the deployment’s secret for callbacks, and of versions that a rotation left. */
const OF_DEPLOYMENT = /^CALLBACK_SECRET( of another version)? secret$/

/** The records and the secrets of a world, in which the secret of a callback is found. */
export interface Secrets {
  readonly shows: readonly { readonly showId: string; readonly request: ShowRequest | undefined }[]
  readonly secrets: readonly SearchedSecret[]
  readonly objects?: ReadonlyMap<string, { readonly text: string }>
}

/** Returns the values that the secret of a callback has or had: that of its show, or else of the deployment. */
export function secretsOf({ body }: { readonly body: string }, { shows, secrets, objects }: Secrets): string[] {
  const { showId = '' } = JSON.parse(body) as { showId?: string }
  const text = objects?.get(keysOf.request(showId))?.text // also of a show that never started
  const request: ShowRequest | undefined =
    text === undefined ? shows.find((show) => show.showId === showId)?.request : JSON.parse(text)
  const isSecret = nameOfSecret(request)
  return secrets.filter(({ name }) => isSecret(name)).map(({ value }) => value)
}

function nameOfSecret(request: ShowRequest | undefined): (name: string) => boolean {
  const reference = request?.show.callback?.secret?.secret
  return reference === undefined
    ? (name) => OF_DEPLOYMENT.test(name)
    : (name) => name === `the show’s secret ${reference}`
}
