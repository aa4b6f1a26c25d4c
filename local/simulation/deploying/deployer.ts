import type { Random } from '../scheduling/random.ts'
import { createStackAnswers } from './stack-answers.ts'
import { createUserPolicies } from './user-policies.ts'

type Fetch = (request: Request) => Promise<Response>

/** Creates the parts of AWS that only a deployment of the stack calls. */
export function createDeployer(now: () => number, random: Pick<Random, 'hex'>) {
  const [answers, userPolicies] = [createStackAnswers(() => random.hex(64)), createUserPolicies(now)]
  return {
    answers,
    userPolicies,
    random,
    /** Wraps AWS to receive the answers for custom resources, and to change those about policies. */
    read: (aws: Fetch): Fetch => answers.read(userPolicies.read(aws)),
  }
}
