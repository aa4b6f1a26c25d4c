import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { createSecrets, parseSecret } from '../../../lib/aws/secrets.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { OwnerEvent } from '../../../lib/events/owner-events.ts'
import { createCallbackKeys } from '../../../lib/operations/notifications/callback-keys.ts'
import { createOwnerCallbacks } from '../../../lib/operations/notifications/owner-callbacks.ts'
import { ServiceError } from '../../../lib/tasks/errors.ts'
import type { Outputs } from '../outputs.ts'

export interface ForwarderOptions {
  /** URL of the app, which it verifies as the audience. */
  readonly url: string
  readonly outputs: Outputs
  readonly manager: SecretsManagerClient
  readonly clock: Clock
  /** Secret of the header `Authorization`. @default the deployment's */
  readonly secret?: string | undefined
  readonly fetch?: typeof globalThis.fetch
}

/** The outcome of one delivery. */
export interface Delivery {
  /** Status of the app's answer. */
  readonly status?: number
  /** Milliseconds until the answer. */
  readonly ms: number
  /** Reason for which it was not accepted. */
  readonly problem?: string
  /** True if a deployment would repeat it. */
  readonly isRetryable: boolean
}

/**
 * Creates a function that posts events to an app as a deployment does: with the same body, and signed with the deployment's own
 * keys, which are read from its secrets.
 * @throws {@link TaskConfigError} when the keys cannot be read
 */
export async function createForwarder({
  url,
  outputs,
  manager,
  clock,
  secret,
  fetch = globalThis.fetch,
}: ForwarderOptions) {
  const secrets = createSecrets(manager)
  const keys = createCallbackKeys({ secrets, secretId: outputs.CallbackKeySecretArn ?? '', clock })
  await keys.signing()
  let status: number | undefined
  const callbacks = createOwnerCallbacks({
    secrets:
      secret === undefined
        ? secrets
        : { read: async (_, shape) => parseSecret('CALLBACK_SECRET', shape, JSON.stringify({ secret })) },
    secretId: outputs.CallbackSecretArn ?? '',
    keys,
    showSecrets: { resolve: async ({ secret: name }) => Promise.reject(new Error(`${name} is not read here.`)) },
    clock,
    async fetch(...request) {
      const response = await fetch(...request)
      status = response.status
      return response
    },
  })

  return async (event: OwnerEvent): Promise<Delivery> => {
    status = undefined
    const since = clock.now()
    const delivery = (rest: Pick<Delivery, 'problem' | 'isRetryable'>): Delivery => ({
      ...(status !== undefined && { status }),
      ms: clock.now() - since,
      ...rest,
    })
    try {
      const { outcome, reason } = await callbacks.post({ url }, event)
      if (outcome === 'gone') return delivery({ problem: 'The app wants no more of this show.', isRetryable: false })
      return delivery({ ...(reason !== undefined && { problem: reason }), isRetryable: false })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return delivery({ problem: error.message, isRetryable: true })
    }
  }
}
