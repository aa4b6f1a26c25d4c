import type { Settings } from '../../../lib/constructs/deploy/settings.ts'
import type { Outputs } from '../outputs.ts'
import type { holdsKey } from './aws.ts'
import type { Check } from './check.ts'

export interface SecretQuestions {
  readonly region: string | undefined
  /** Outputs of an earlier deployment; empty before the first. */
  readonly outputs: Outputs
  readonly holds: typeof holdsKey
}

/** Checks the keys of the platform: those of the account, if the settings name its secret, and those of the project. */
export async function checkSecrets({ platform }: Settings, questions: SecretQuestions): Promise<Check[]> {
  const { accountSecret, project } = platform
  return [
    ...(accountSecret ? [await checkAccount(accountSecret, questions)] : []),
    project
      ? { what: 'platform project', state: 'ok', message: `The deployment creates it as ${project.name}.` }
      : await checkProject(questions),
  ]
}

async function checkAccount(name: string, { region, holds }: SecretQuestions): Promise<Check> {
  const what = 'platform account'
  const held = region ? await holds(name, region) : { problem: 'there is no region.' }
  if (held === 'yes') return { what, state: 'ok', message: name }
  if (typeof held === 'object')
    return { what, state: 'unknown', message: `The secret ${name} was not checked: ${held.problem}` }
  const command = held === 'absent' ? `create-secret --name ${name}` : `put-secret-value --secret-id ${name}`
  return { what, state: 'missing', message: `aws secretsmanager ${command} ${FROM_FILE}` }
}

async function checkProject({ region, outputs, holds }: SecretQuestions): Promise<Check> {
  const what = 'platform project'
  const { ProjectSecretArn: arn } = outputs
  if (!arn)
    return {
      what,
      state: 'later',
      message: 'After the deployment, store its key and secret in the secret ProjectSecretArn.',
    }
  const held = region ? await holds(arn, region) : { problem: 'there is no region.' }
  if (held === 'yes') return { what, state: 'ok', message: 'Its key and secret are stored.' }
  if (typeof held === 'object')
    return { what, state: 'unknown', message: `Its secret was not checked: ${held.problem}` }
  return { what, state: 'later', message: `Shows need its key and secret: ${putProjectSecret(arn)}` }
}

/** Returns the command that stores the key of the project for the stack. */
export const putProjectSecret = (arn: string) => `aws secretsmanager put-secret-value --secret-id ${arn} ${FROM_FILE}`

/** A file, because a secret on the command line would stay in the history of the shell. */
const FROM_FILE = '--secret-string file://key.json, which holds { "apiKey": "…", "apiSecret": "…" }'
