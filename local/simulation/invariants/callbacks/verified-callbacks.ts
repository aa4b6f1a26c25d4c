import type { Evidence } from '../evidence.ts'
import { type Secrets, secretsOf } from './callback-secrets.ts'
import { problemsOfTokens } from './callback-tokens.ts'

/** Checks that an app which verifies callbacks by docs/callbacks.md accepts each one that it received. */
export function verifiedCallbacks(evidence: Pick<Evidence, 'callbacks' | 'callbackKeys'> & Secrets): string[] {
  const { callbacks, callbackKeys: keys } = evidence
  return callbacks.flatMap((callback) => {
    const { event, showId = '' } = JSON.parse(callback.body) as { event: string; showId?: string }
    const problems = problemsOfTokens(callback, { keys, secrets: secretsOf(callback, evidence) })
    return problems.map(
      (problem) => `an app refuses the callback ${event} of the show ${showId.slice(0, 12)}: ${problem}`,
    )
  })
}
