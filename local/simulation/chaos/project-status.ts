import type { Clock } from '../../../lib/clock.ts'
import { accountRequest } from '../environment/platform/account-requests.ts'
import type { Platform } from '../environment/platform/platform.ts'

/**
 * Suspends or reactivates the project with the account’s credentials. Returns false if the platform did not accept it.
 */
export async function setProjectStatus(
  platform: Platform,
  status: 'SUSPENDED' | 'ACTIVE',
  clock: Clock,
): Promise<boolean> {
  const request = { apiKey: platform.projectKey, body: { status }, now: clock.now() }
  const answer = await platform.fetch(accountRequest(platform, 'setProjectStatus', request)).catch(() => null)
  return answer?.ok ?? false
}
