import type { Settings } from '../../../lib/constructs/deploy/settings.ts'
import type { Outputs } from '../outputs.ts'
import type { holdsKey } from './aws.ts'
import type { Check } from './check.ts'

export interface SecretQuestions {
  readonly region: string | undefined
  /** Of an earlier deployment; empty before the first. */
  readonly outputs: Outputs
  readonly holds: typeof holdsKey
}

/** The keys of the platform: of the account where the settings name it, and of the project. */
export async function checkSecrets({ platform }: Settings, questions: SecretQuestions): Promise<Check[]> {
  const { accountSecret, project } = platform
  return [
    ...(accountSecret ? [await checkAccount(accountSecret, questions)] : []),
    project
      ? { what: 'platform project', state: 'ok', words: `The deployment makes it, as ${project.name}.` }
      : await checkProject(questions),
  ]
}

async function checkAccount(name: string, { region, holds }: SecretQuestions): Promise<Check> {
  const what = 'platform account'
  const held = region ? await holds(name, region) : { problem: 'without a region' }
  if (held === 'yes') return { what, state: 'ok', words: name }
  if (typeof held === 'object')
    return { what, state: 'unknown', words: `The secret ${name} was not looked at: ${held.problem}` }
  const command = held === 'absent' ? `create-secret --name ${name}` : `put-secret-value --secret-id ${name}`
  return { what, state: 'missing', words: `aws secretsmanager ${command} ${FROM_FILE}` }
}

async function checkProject({ region, outputs, holds }: SecretQuestions): Promise<Check> {
  const what = 'platform project'
  const { ProjectSecretArn: arn } = outputs
  if (!arn)
    return { what, state: 'later', words: 'After the deployment: put its key and secret where ProjectSecretArn says.' }
  const held = region ? await holds(arn, region) : { problem: 'without a region' }
  if (held === 'yes') return { what, state: 'ok', words: 'Its key and secret are there.' }
  if (typeof held === 'object')
    return { what, state: 'unknown', words: `Its secret was not looked at: ${held.problem}` }
  return { what, state: 'later', words: `No show can run before: ${putProjectSecret(arn)}` }
}

/** How whoever deploys gives the project's key to the stack. */
export const putProjectSecret = (arn: string) => `aws secretsmanager put-secret-value --secret-id ${arn} ${FROM_FILE}`

/** On a command line the secret would stay in the shell's history. */
const FROM_FILE = '--secret-string file://key.json, which holds { "apiKey": "…", "apiSecret": "…" }'
