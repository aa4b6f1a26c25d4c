import type { Settings } from '../../../lib/constructs/deploy/settings.ts'
import type { Outputs } from '../outputs.ts'
import type { holdsKey } from './aws.ts'
import { type Check, later, missing, passed, unknown } from './check.ts'

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
      ? passed('platform project', `The deployment creates it as ${project.name}.`)
      : await checkProject(questions),
  ]
}

async function checkAccount(name: string, { region, holds }: SecretQuestions): Promise<Check> {
  const what = 'platform account'
  const held = region ? await holds(name, region) : { problem: 'there is no region.' }
  if (held === 'yes') return passed(what, name)
  if (typeof held === 'object') return unknown(what, `The secret ${name} was not checked: ${held.problem}`)
  const command = held === 'absent' ? `create-secret --name ${name}` : `put-secret-value --secret-id ${name}`
  return missing(what, `aws secretsmanager ${command} ${FROM_FILE}`)
}

async function checkProject({ region, outputs, holds }: SecretQuestions): Promise<Check> {
  const what = 'platform project'
  const { ProjectSecretArn: arn } = outputs
  if (!arn) return later(what, 'After the deployment, store its key and secret in the secret ProjectSecretArn.')
  const held = region ? await holds(arn, region) : { problem: 'there is no region.' }
  if (held === 'yes') return passed(what, 'Its key and secret are stored.')
  if (typeof held === 'object') return unknown(what, `Its secret was not checked: ${held.problem}`)
  return later(what, `Shows need its key and secret: ${putProjectSecret(arn)}`)
}

/** Returns the command that stores the key of the project for the stack. */
export const putProjectSecret = (arn: string) => `aws secretsmanager put-secret-value --secret-id ${arn} ${FROM_FILE}`

/** A file, because a secret on the command line would stay in the history of the shell. */
const FROM_FILE = '--secret-string file://key.json, which holds { "apiKey": "…", "apiSecret": "…" }'
