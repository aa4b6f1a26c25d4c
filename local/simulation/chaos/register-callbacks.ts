import { addresses } from '../environment/addresses.ts'
import { readCallbackSecret } from '../environment/stored-secret.ts'
import type { ChaosTargets } from './chaos-targets.ts'

/** Registers Showrunner’s callback route at the platform, as an operator does on the platform’s account page. */
export async function registerCallbacks({
  cloud,
  clock,
  platform,
}: Pick<ChaosTargets, 'cloud' | 'clock' | 'platform'>): Promise<void> {
  const secret = await readCallbackSecret({ cloud, clock })
  const { projectKey } = platform
  const answer = await platform.fetch(
    new Request(`http://localhost/sandbox/projects/${projectKey}/callbacks`, {
      method: 'PUT',
      body: JSON.stringify({ url: `${addresses.callbacks}/callbacks/all`, secret }),
    }),
  )
  if (!answer.ok) throw new Error(`The sandbox refused to register callbacks: ${await answer.text()}`)
}
